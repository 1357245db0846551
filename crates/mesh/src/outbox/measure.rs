//! The gauges of the outbox.

use std::time::Duration;

use metrics::gauge;
use tokio::time::timeout;
use tracing::{error, warn};

use crate::{Shutdown, db::Pool};

/// How often the gauges are updated.
const MEASURE_INTERVAL: Duration = Duration::from_secs(15);
/// Longest that measuring may take: a database host that vanished does not answer.
const MEASURE_LIMIT: Duration = Duration::from_secs(10);

pub(super) async fn measure_until_stop(db: Pool, topics: Vec<&'static str>, stop: Shutdown) {
    while !stop.is_stopping() {
        match timeout(MEASURE_LIMIT, measure(&db)).await {
            Ok(Ok(states)) => publish(&topics, &states),
            Ok(Err(error)) => warn!(%error, "cannot measure the outbox"),
            Err(_) => warn!("the outbox was not measured in time"),
        }
        tokio::select! {
            () = tokio::time::sleep(MEASURE_INTERVAL) => {}
            () = stop.stopping() => {}
        }
    }
}

/// The rows of a topic, as alerts need them.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub(super) struct TopicState {
    pub(super) topic: String,
    /// Age of the oldest row that is still to be delivered, in seconds.
    pub(super) oldest: f64,
    pub(super) dead_letters: i64,
}

/// Every topic that has rows. Jumps from topic to topic in the primary key, and counts
/// dead letters in their own index, so a full table costs no scan.
pub(super) async fn measure(db: &Pool) -> sqlx::Result<Vec<TopicState>> {
    let mut conn = db.acquire().await?;
    sqlx::query_as(
        "WITH RECURSIVE topics AS (
             (SELECT topic FROM outbox ORDER BY topic LIMIT 1)
             UNION ALL
             SELECT (SELECT o.topic FROM outbox o WHERE o.topic > t.topic ORDER BY o.topic LIMIT 1)
             FROM topics t WHERE t.topic IS NOT NULL
         )
         SELECT topic,
             coalesce((SELECT extract(epoch FROM now() - created_at)::float8 FROM outbox o
                 WHERE o.topic = t.topic AND parked_at IS NULL ORDER BY id LIMIT 1), 0) AS oldest,
             (SELECT count(*) FROM outbox o
                 WHERE o.topic = t.topic AND parked_at IS NOT NULL) AS dead_letters
         FROM topics t WHERE topic IS NOT NULL",
    )
    .fetch_all(&mut *conn)
    .await
}

fn publish(handled: &[&'static str], states: &[TopicState]) {
    for &topic in handled {
        let state = states.iter().find(|state| state.topic == topic);
        gauge!("outbox_oldest_seconds", "topic" => topic)
            .set(state.map_or(0.0, |state| state.oldest.max(0.0)));
        let dead = state.map_or(0, |state| state.dead_letters);
        gauge!("outbox_dead_letters", "topic" => topic)
            .set(f64::from(u32::try_from(dead).unwrap_or(u32::MAX)));
    }
    let unhandled = states.iter().filter(|state| !handled.contains(&state.topic.as_str()));
    let mut count = 0_u32;
    for state in unhandled {
        count += 1;
        error!(topic = state.topic, "outbox rows of a topic that this build does not handle");
    }
    gauge!("outbox_unhandled_topics").set(f64::from(count));
}
