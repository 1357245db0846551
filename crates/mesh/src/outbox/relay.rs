//! Works the rows off.

use std::{collections::HashMap, future::Future, sync::Arc, time::Duration};

use anyhow::Context as _;
use futures_util::future::BoxFuture;
use metrics::{counter, gauge};
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio::{sync::Semaphore, time::Instant};
use tracing::{Instrument, error, info_span, warn};
use types::Clock;
use uuid::Uuid;

use super::{Bell, Delivery, Event};
use crate::{Shutdown, telemetry};

/// Deliveries under way at once, a relay.
const AT_ONCE: usize = 32;
/// Longest that looking may take: a database that vanished says nothing at all.
const TAKE_LIMIT: Duration = Duration::from_secs(10);
/// Rows are looked for this often even if nobody rings.
const POLL: Duration = Duration::from_secs(1);
/// Longest that one delivery may take.
const DELIVERY_LIMIT: Duration = Duration::from_secs(35);
/// After this long another relay may try it; longer than a delivery takes.
const LEASE: Duration = Duration::from_secs(45);
/// The longest pause between two tries.
const BACKOFF_MAX: Duration = Duration::from_mins(5);
/// Tries before a row is parked: a day of them.
const GIVE_UP_AFTER: i32 = 300;
/// How often it is measured what is left.
const MEASURE_INTERVAL: Duration = Duration::from_secs(15);

type Handler = Arc<dyn Fn(Event) -> BoxFuture<'static, anyhow::Result<Delivery>> + Send + Sync>;

/// Works the rows off.
pub struct Relay {
    pool: PgPool,
    clock: Clock,
    bell: Bell,
    handlers: HashMap<&'static str, Handler>,
    give_up_after: i32,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    topic: String,
    payload: serde_json::Value,
    traceparent: Option<String>,
    attempts: i32,
}

impl Relay {
    /// A relay that knows no topic yet.
    pub fn new(pool: PgPool, clock: Clock, bell: Bell) -> Self {
        Self { pool, clock, bell, handlers: HashMap::new(), give_up_after: GIVE_UP_AFTER }
    }

    /// Pays the debts of a topic by `handler`.
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

    /// Parks a row after so many tries instead of a day's.
    #[must_use]
    pub fn give_up_after(self, tries: i32) -> Self {
        Self { give_up_after: tries, ..self }
    }

    /// Works until the stop.
    pub fn start(self, shutdown: &Shutdown) {
        let stop = shutdown.clone();
        shutdown.spawn("outbox", async move {
            let relay = Arc::new(self);
            let mut ears = relay.bell.ears();
            let places = Arc::new(Semaphore::new(AT_ONCE));
            let mut measured: Option<Instant> = None;
            while !stop.is_stopping() {
                if measured.is_none_or(|at| at.elapsed() >= MEASURE_INTERVAL) {
                    measured = Some(Instant::now());
                    relay.measure().await;
                }
                match relay.round(&stop, &places).await {
                    // There may be more where these came from.
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => warn!(error = format!("{error:#}"), "the outbox was not read"),
                }
                tokio::select! {
                    _ = ears.changed() => {}
                    () = tokio::time::sleep(POLL) => {}
                    () = stop.stopping() => {}
                }
            }
        });
    }

    /// Takes as many rows as there are places, and sets each on its way; true
    /// when it took any. A slow delivery holds up its place, not the round.
    async fn round(
        self: &Arc<Self>,
        stop: &Shutdown,
        places: &Arc<Semaphore>,
    ) -> anyhow::Result<bool> {
        let first = tokio::select! {
            place = places.clone().acquire_owned() => place.context("the places are gone")?,
            // What is taken now could not be finished.
            () = stop.stopping() => return Ok(false),
        };
        let mut permits = vec![first];
        while permits.len() < AT_ONCE
            && let Ok(another) = places.clone().try_acquire_owned()
        {
            permits.push(another);
        }
        let taking = self.take(self.clock.now(), permits.len());
        let rows = tokio::time::timeout(TAKE_LIMIT, taking).await.context("no answer")??;
        let any = !rows.is_empty();
        for (row, permit) in rows.into_iter().zip(permits) {
            let relay = self.clone();
            stop.spawn_contained("outbox delivery", async move {
                relay.deliver(row).await;
                drop(permit);
            });
        }
        Ok(any)
    }

    /// Leases the rows that are due: no lock is held while they are delivered,
    /// and a relay that dies leaves them to the next after the lease.
    async fn take(&self, now: OffsetDateTime, most: usize) -> sqlx::Result<Vec<Row>> {
        let topics: Vec<&str> = self.handlers.keys().copied().collect();
        sqlx::query_as(
            "UPDATE outbox SET attempts = attempts + 1, due_at = $2
             WHERE id IN (
                 SELECT id FROM outbox WHERE due_at <= $1 AND topic = ANY($4) AND parked_at IS NULL
                 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
             )
             RETURNING id, topic, payload, traceparent, attempts",
        )
        .bind(now)
        .bind(now + LEASE)
        .bind(i64::try_from(most).unwrap_or(1))
        .bind(topics)
        .fetch_all(&self.pool)
        .await
    }

    async fn deliver(&self, row: Row) {
        let span = info_span!("outbox.deliver", topic = row.topic, attempt = row.attempts);
        telemetry::continue_from(&span, row.traceparent.as_deref());
        async {
            let event = Event { id: row.id, attempt: row.attempts, payload: row.payload };
            let outcome = self.hand_over(&row.topic, event).await;
            let settled = match outcome {
                Ok(Delivery::Done) => {
                    counter!("outbox_delivered_total", "topic" => row.topic.clone()).increment(1);
                    self.forget(row.id).await
                }
                Ok(Delivery::Later(pause)) => self.postpone(row.id, row.attempts - 1, pause).await,
                Err(cause) => {
                    counter!("outbox_failed_total", "topic" => row.topic.clone()).increment(1);
                    let (topic, error) = (row.topic, format!("{cause:#}"));
                    if row.attempts < self.give_up_after {
                        error!(error, topic, "not delivered");
                        self.postpone(row.id, row.attempts, backoff(row.attempts)).await
                    } else {
                        error!(error, topic, id = %row.id, "never delivered: parked");
                        self.park(row.id).await
                    }
                }
            };
            if let Err(error) = settled {
                // The lease brings it back.
                warn!(%error, "an outbox row was not settled");
            }
        }
        .instrument(span)
        .await;
    }

    async fn hand_over(&self, topic: &str, event: Event) -> anyhow::Result<Delivery> {
        let handler = self.handlers.get(topic).context("nobody handles this topic")?;
        tokio::time::timeout(DELIVERY_LIMIT, handler(event))
            .await
            .context("it took longer than a delivery may")?
    }

    async fn forget(&self, id: Uuid) -> sqlx::Result<()> {
        sqlx::query("DELETE FROM outbox WHERE id = $1").bind(id).execute(&self.pool).await?;
        Ok(())
    }

    async fn postpone(&self, id: Uuid, attempts: i32, pause: Duration) -> sqlx::Result<()> {
        sqlx::query("UPDATE outbox SET attempts = $2, due_at = $3 WHERE id = $1")
            .bind(id)
            .bind(attempts)
            .bind(self.clock.now() + pause)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    async fn park(&self, id: Uuid) -> sqlx::Result<()> {
        sqlx::query("UPDATE outbox SET parked_at = $2 WHERE id = $1")
            .bind(id)
            .bind(self.clock.now())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// How old the oldest debt is, and how many were given up: what alerts look at.
    async fn measure(&self) {
        match tokio::time::timeout(TAKE_LIMIT, self.left()).await {
            Ok(Ok(left)) => {
                let now = self.clock.now();
                for Left { topic, oldest, parked } in left {
                    let age = oldest.map_or(0.0, |oldest| (now - oldest).as_seconds_f64());
                    gauge!("outbox_oldest_seconds", "topic" => topic.clone()).set(age.max(0.0));
                    gauge!("outbox_parked", "topic" => topic).set(parked);
                }
            }
            Ok(Err(error)) => warn!(%error, "the outbox was not measured"),
            Err(_) => warn!("the outbox was not measured in time"),
        }
    }

    pub(super) async fn left(&self) -> sqlx::Result<Vec<Left>> {
        let topics: Vec<&str> = self.handlers.keys().copied().collect();
        sqlx::query_as(
            "SELECT topic,
                 min(created_at) FILTER (WHERE parked_at IS NULL) AS oldest,
                 (count(parked_at))::float8 AS parked
             FROM unnest($1::text[]) AS topic LEFT JOIN outbox USING (topic)
             GROUP BY topic",
        )
        .bind(topics)
        .fetch_all(&self.pool)
        .await
    }
}

/// What is left of a topic.
#[derive(Debug, PartialEq, sqlx::FromRow)]
pub(super) struct Left {
    pub(super) topic: String,
    pub(super) oldest: Option<OffsetDateTime>,
    pub(super) parked: f64,
}

/// Twice as long after each try, up to five minutes.
fn backoff(attempts: i32) -> Duration {
    let exponent = u32::try_from(attempts.clamp(0, 16)).unwrap_or(0);
    Duration::from_millis(500 << exponent).min(BACKOFF_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_five_minutes() {
        assert_eq!(backoff(1), Duration::from_secs(1));
        assert_eq!(backoff(2), Duration::from_secs(2));
        assert_eq!(backoff(i32::MAX), BACKOFF_MAX);
    }
}
