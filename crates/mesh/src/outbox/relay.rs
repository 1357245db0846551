//! Delivers the rows of the outbox.

use std::{collections::BTreeMap, future::Future, sync::Arc, time::Duration};

use anyhow::Context as _;
use futures_util::future::BoxFuture;
use metrics::{counter, gauge};
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc},
    time::timeout,
};
use tracing::{Instrument, error, warn};
use uuid::Uuid;

use super::{
    Delivery, Event, OutboxNotifier,
    settle::{Outcome, Settled, settle},
};
use crate::{Shutdown, db::Pool, entry_span, telemetry};

/// Deliveries in flight at most, for a topic.
const PERMITS: u32 = 32;
/// Rows are taken when half of the permits are free, or when one is free and this time has
/// passed: few statements under load, and a short wait without load.
const TAKE_DELAY: Duration = Duration::from_millis(20);
/// Longest that taking rows may take: a database host that vanished does not answer.
const TAKE_LIMIT: Duration = Duration::from_secs(10);
/// The polling interval without a notification.
const POLL: Duration = Duration::from_secs(1);
/// Longest that one delivery may take.
const DELIVERY_LIMIT: Duration = Duration::from_secs(35);
/// After this long another relay may take the row; longer than a delivery takes.
const LEASE: Duration = Duration::from_secs(45);
/// Tries that may fail before a row becomes a dead letter: about a day of them.
const MAX_ATTEMPTS: i32 = 300;
/// Tries that may crash before a row becomes a dead letter.
const MAX_CRASHES: i32 = 10;
/// How often the gauges are updated.
const MEASURE_INTERVAL: Duration = Duration::from_secs(15);

type Handler = Arc<dyn Fn(Event) -> BoxFuture<'static, anyhow::Result<Delivery>> + Send + Sync>;

/// Delivers the rows of its topics, each topic by itself.
pub struct Relay {
    db: Pool,
    notifier: OutboxNotifier,
    handlers: BTreeMap<&'static str, Handler>,
    limits: Limits,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) attempts: i32,
    pub(super) crashes: i32,
    pub(super) lease: Duration,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    payload: serde_json::Value,
    traceparent: Option<String>,
    attempts: i32,
    parked: bool,
}

impl Relay {
    /// A relay without topics. Give it the pool for jobs.
    pub fn new(db: Pool, notifier: OutboxNotifier) -> Self {
        let limits = Limits { attempts: MAX_ATTEMPTS, crashes: MAX_CRASHES, lease: LEASE };
        Self { db, notifier, handlers: BTreeMap::new(), limits }
    }

    /// Delivers a topic to `handler`.
    #[must_use]
    pub fn on<F, Fut, D>(mut self, topic: &'static str, handler: F) -> Self
    where
        F: Fn(Event) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = anyhow::Result<D>> + Send + 'static,
        D: Into<Delivery>,
    {
        let handler = move |event| -> BoxFuture<'static, _> {
            let delivery = handler(event);
            Box::pin(async move { delivery.await.map(Into::into) })
        };
        self.handlers.insert(topic, Arc::new(handler));
        self
    }

    /// Other limits, for tests.
    #[cfg(test)]
    pub(super) fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Delivers until the stop.
    pub fn start(self, shutdown: &Shutdown) {
        let topics: Vec<&'static str> = self.handlers.keys().copied().collect();
        shutdown
            .spawn("outbox gauges", measure_until_stop(self.db.clone(), topics, shutdown.clone()));
        for (topic, handler) in self.handlers {
            let (settled, outcomes) = mpsc::unbounded_channel();
            let relay = TopicRelay {
                topic,
                handler,
                db: self.db.clone(),
                limits: self.limits,
                permits: Arc::new(Semaphore::new(PERMITS as usize)),
                settled,
            };
            // Ends when the last delivery has dropped its sender.
            shutdown.spawn("outbox settling", settle(self.db.clone(), topic, outcomes));
            let notified = self.notifier.of(topic);
            shutdown.spawn("outbox", Arc::new(relay).run(notified, shutdown.clone()));
        }
    }
}

/// The relay of one topic.
struct TopicRelay {
    topic: &'static str,
    handler: Handler,
    db: Pool,
    limits: Limits,
    permits: Arc<Semaphore>,
    settled: mpsc::UnboundedSender<Settled>,
}

impl TopicRelay {
    async fn run(self: Arc<Self>, notified: Arc<Notify>, stop: Shutdown) {
        while !stop.is_stopping() {
            match self.round(&stop).await {
                // A full batch: there may be more.
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => {
                    warn!(
                        topic = self.topic,
                        error = format!("{error:#}"),
                        "cannot read the outbox"
                    );
                }
            }
            tokio::select! {
                () = notified.notified() => {}
                () = tokio::time::sleep(POLL) => {}
                () = stop.stopping() => {}
            }
        }
    }

    /// Takes as many rows as there are free permits and starts their delivery; true when
    /// it took that many.
    async fn round(self: &Arc<Self>, stop: &Shutdown) -> anyhow::Result<bool> {
        let mut permits = tokio::select! {
            permits = self.free_permits() => permits?,
            // A row that is taken now would not be delivered in time.
            () = stop.stopping() => return Ok(false),
        };
        let most = permits.num_permits();
        let rows = timeout(TAKE_LIMIT, self.take(most)).await.context("no answer")??;
        let full = rows.len() == most;
        for row in rows {
            let Some(permit) = permits.split(1) else { break };
            if row.parked {
                self.report_dead_letter(row.id, "its handler failed or crashed too often");
                continue;
            }
            let relay = Arc::clone(self);
            stop.spawn_contained("outbox delivery", async move {
                relay.deliver(row, permit).await;
            });
        }
        Ok(full)
    }

    /// All free permits: at once when half of them are, or after a moment.
    async fn free_permits(&self) -> anyhow::Result<OwnedSemaphorePermit> {
        let half = Arc::clone(&self.permits).acquire_many_owned(PERMITS / 2);
        let mut permits = match timeout(TAKE_DELAY, half).await {
            Ok(permits) => permits?,
            Err(_) => Arc::clone(&self.permits).acquire_owned().await?,
        };
        let more = u32::try_from(self.permits.available_permits()).unwrap_or(0);
        if let Ok(more) = Arc::clone(&self.permits).try_acquire_many_owned(more) {
            permits.merge(more);
        }
        Ok(permits)
    }

    /// Leases the rows that are due. No lock is held while they are delivered; when this
    /// process dies, another takes them after the lease. A row that was leased before
    /// and never settled counts as a crash.
    async fn take(&self, most: usize) -> sqlx::Result<Vec<Row>> {
        let mut conn = self.db.acquire().await?;
        sqlx::query_as(
            "WITH due AS MATERIALIZED (
                 SELECT id FROM outbox WHERE topic = $1 AND due_at <= now() AND parked_at IS NULL
                 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
             )
             UPDATE outbox SET
                 attempts = attempts + 1,
                 crashes = crashes + leased::integer,
                 leased = true,
                 due_at = now() + $3 * interval '1 second',
                 parked_at = CASE
                     WHEN attempts >= $4 OR crashes + leased::integer >= $5 THEN now()
                 END
             FROM due WHERE outbox.topic = $1 AND outbox.id = due.id
             RETURNING outbox.id, payload, traceparent, attempts, parked_at IS NOT NULL AS parked",
        )
        .bind(self.topic)
        .bind(i64::try_from(most).unwrap_or(1))
        .bind(self.limits.lease.as_secs_f64())
        .bind(self.limits.attempts)
        .bind(self.limits.crashes)
        .fetch_all(&mut *conn)
        .await
    }

    /// Hands one row over. Its permit is free again once the outcome is written down.
    async fn deliver(&self, row: Row, permit: OwnedSemaphorePermit) {
        let (id, attempt) = (row.id, row.attempts);
        let span = entry_span!("outbox.deliver", topic = self.topic, attempt);
        telemetry::continue_from(&span, row.traceparent.as_deref());
        let event = Event { id, attempt, payload: row.payload };
        let outcome = async {
            match self.hand_over(event).await {
                Ok(Delivery::Done) => {
                    counter!("outbox_delivered_total", "topic" => self.topic).increment(1);
                    Outcome::Delivered
                }
                Ok(Delivery::Later(pause)) => Outcome::Retry { attempts: attempt - 1, pause },
                Err(cause) => {
                    counter!("outbox_failed_total", "topic" => self.topic).increment(1);
                    error!(error = format!("{cause:#}"), topic = self.topic, "not delivered");
                    if attempt < self.limits.attempts {
                        Outcome::Retry { attempts: attempt, pause: backoff(attempt) }
                    } else {
                        self.report_dead_letter(id, "it failed for a day");
                        Outcome::Park
                    }
                }
            }
        }
        .instrument(span)
        .await;
        // The settling task lives as long as this sender.
        let _ = self.settled.send(Settled { id, outcome, _permit: permit });
    }

    async fn hand_over(&self, event: Event) -> anyhow::Result<Delivery> {
        timeout(DELIVERY_LIMIT, (self.handler)(event))
            .await
            .context("the delivery exceeded its time limit")?
    }

    fn report_dead_letter(&self, id: Uuid, why: &str) {
        counter!("outbox_parked_total", "topic" => self.topic).increment(1);
        error!(topic = self.topic, %id, why, "an outbox row became a dead letter");
    }
}

/// Twice as long after each try, up to five minutes.
fn backoff(attempts: i32) -> Duration {
    let exponent = u32::try_from(attempts.clamp(0, 16)).unwrap_or(0);
    Duration::from_millis(500 << exponent).min(Duration::from_mins(5))
}

async fn measure_until_stop(db: Pool, topics: Vec<&'static str>, stop: Shutdown) {
    while !stop.is_stopping() {
        match timeout(TAKE_LIMIT, measure(&db)).await {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_up_to_five_minutes() {
        assert_eq!(backoff(1), Duration::from_secs(1));
        assert_eq!(backoff(2), Duration::from_secs(2));
        assert_eq!(backoff(i32::MAX), Duration::from_mins(5));
    }
}
