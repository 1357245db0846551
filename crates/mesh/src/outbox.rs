//! What a service owes others, as rows.
//!
//! [`put`] writes a row in the transaction that makes the debt; the [`Relay`]
//! pays it afterwards, at least once, so whoever is paid must be idempotent. A
//! row carries the trace it was written in, and delivery goes on with it. Topics
//! that must not wait for each other have relays of their own.
//!
//! Each service's migrations create the table:
//!
//! ```sql
//! CREATE TABLE outbox (
//!     id          uuid        PRIMARY KEY,
//!     topic       text        NOT NULL,
//!     payload     jsonb       NOT NULL,
//!     traceparent text,
//!     attempts    integer     NOT NULL DEFAULT 0,
//!     due_at      timestamptz NOT NULL,
//!     created_at  timestamptz NOT NULL
//! );
//! CREATE INDEX outbox_due ON outbox (topic, due_at);
//! ```

use std::{collections::HashMap, future::Future, sync::Arc, time::Duration};

use anyhow::Context as _;
use futures_util::future::BoxFuture;
use metrics::counter;
use serde::{Serialize, de::DeserializeOwned};
use sqlx::{PgConnection, PgPool, types::Json};
use time::OffsetDateTime;
use tokio::sync::{Semaphore, watch};
use tracing::{Instrument, error, info_span, warn};
use types::{Chance, Clock};
use uuid::Uuid;

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

/// Owes `payload` to whoever handles `topic`, from the commit of this
/// transaction on.
pub async fn put<T: Serialize + Sync>(
    conn: &mut PgConnection,
    clock: &Clock,
    chance: &Chance,
    topic: &str,
    payload: &T,
) -> sqlx::Result<()> {
    let now = clock.now();
    sqlx::query(
        "INSERT INTO outbox (id, topic, payload, traceparent, due_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $5)",
    )
    .bind(chance.uuid_v7(now))
    .bind(topic)
    .bind(Json(payload))
    .bind(telemetry::traceparent())
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// The bell that tells relays there is work: rung after a commit. A bell not
/// heard costs a second, no more.
#[derive(Debug, Clone)]
pub struct Bell(Arc<watch::Sender<()>>);

impl Default for Bell {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(())))
    }
}

impl Bell {
    /// There is work.
    pub fn ring(&self) {
        self.0.send_replace(());
    }

    /// One pair of ears. What is rung while nobody listens is heard at the next
    /// listening.
    pub fn ears(&self) -> watch::Receiver<()> {
        self.0.subscribe()
    }
}

/// A debt to be paid.
#[derive(Debug)]
pub struct Event {
    /// The same at every try: what the other side dedupes by.
    pub id: Uuid,
    /// Which try this is, from 1.
    pub attempt: i32,
    payload: serde_json::Value,
}

impl Event {
    /// What was put.
    pub fn payload<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        serde_json::from_value(self.payload.clone()).context("an outbox row of another form")
    }
}

type Handler = Arc<dyn Fn(Event) -> BoxFuture<'static, anyhow::Result<()>> + Send + Sync>;

/// Works the rows off.
pub struct Relay {
    pool: PgPool,
    clock: Clock,
    bell: Bell,
    handlers: HashMap<&'static str, Handler>,
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
        Self { pool, clock, bell, handlers: HashMap::new() }
    }

    /// Pays the debts of a topic by `handler`.
    #[must_use]
    pub fn on<F, Fut>(mut self, topic: &'static str, handler: F) -> Self
    where
        F: Fn(Event) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        self.handlers.insert(topic, Arc::new(move |event| Box::pin(handler(event))));
        self
    }

    /// Works until the stop.
    pub fn start(self, shutdown: &Shutdown) {
        let stop = shutdown.clone();
        shutdown.spawn("outbox", async move {
            let relay = Arc::new(self);
            let mut ears = relay.bell.ears();
            let places = Arc::new(Semaphore::new(AT_ONCE));
            while !stop.is_stopping() {
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
                 SELECT id FROM outbox WHERE due_at <= $1 AND topic = ANY($4)
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
                Ok(()) => {
                    counter!("outbox_delivered_total", "topic" => row.topic.clone()).increment(1);
                    self.forget(row.id).await
                }
                Err(cause) => {
                    counter!("outbox_failed_total", "topic" => row.topic.clone()).increment(1);
                    error!(error = format!("{cause:#}"), topic = row.topic, "not delivered");
                    self.postpone(row.id, row.attempts).await
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

    async fn hand_over(&self, topic: &str, event: Event) -> anyhow::Result<()> {
        let handler = self.handlers.get(topic).context("nobody handles this topic")?;
        tokio::time::timeout(DELIVERY_LIMIT, handler(event))
            .await
            .context("it took longer than a delivery may")?
    }

    async fn forget(&self, id: Uuid) -> sqlx::Result<()> {
        sqlx::query("DELETE FROM outbox WHERE id = $1").bind(id).execute(&self.pool).await?;
        Ok(())
    }

    async fn postpone(&self, id: Uuid, attempts: i32) -> sqlx::Result<()> {
        sqlx::query("UPDATE outbox SET due_at = $2 WHERE id = $1")
            .bind(id)
            .bind(self.clock.now() + backoff(attempts))
            .execute(&self.pool)
            .await?;
        Ok(())
    }
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
