//! The transactional outbox: calls to other services, stored as rows until they are made.
//!
//! [`put`] writes a row in the transaction that causes the work; a [`Relay`] hands it to
//! the handler of its topic afterwards, at least once, so what a handler calls must be
//! idempotent. A row carries the trace it was written in, and its delivery continues it.
//! Each topic is delivered by itself: a slow or broken one does not hold up the others.
//!
//! Due times and leases use the database's clock, which all replicas share. Rows stay
//! until they are delivered. While the upstream of a topic is out, its rows wait: they are
//! probed one at a time, and their failures are not counted. A row that failed for a day, or whose handler crashed ten
//! times, becomes a dead letter: it stays, is not tried again, and raises
//! `outbox_dead_letters`. Once the cause is fixed, deliver it again by
//! `UPDATE outbox SET parked_at = NULL, attempts = 0, crashes = 0`.
//!
//! Each service's migrations create the table with [`TABLE`].

mod circuit;
mod measure;
#[cfg(test)]
mod outage_tests;
mod relay;
mod settle;
mod take;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::Context as _;
use serde::{Serialize, de::DeserializeOwned};
use sqlx::{PgConnection, types::Json};
use tokio::sync::Notify;
use types::{Clock, Rng};
use uuid::Uuid;

use crate::telemetry;

pub use self::relay::{FromEvent, Relay};

/// The table, for a service's first migration. The primary key begins with the topic, so
/// that the oldest row of a topic, and the topics there are, are found without a scan.
/// Rows live for milliseconds, so the table is vacuumed by count and not by share.
pub const TABLE: &str = include_str!("table.sql");

/// Writes a row for the handler of `topic`, valid from the commit of this transaction
/// on. Call [`OutboxNotifier::notify`] after the commit.
pub async fn put<T: Serialize + Sync>(
    conn: &mut PgConnection,
    clock: &Clock,
    rng: &Rng,
    topic: &str,
    payload: &T,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO outbox (topic, id, payload, traceparent, due_at, created_at)
         VALUES ($1, $2, $3, $4, now(), now())",
    )
    .bind(topic)
    .bind(rng.uuid_v7(clock.now()))
    .bind(Json(payload))
    .bind(telemetry::traceparent())
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes a row that is due after `delay`, under the caller's id; nothing if there is one
/// with this id. For a call that the caller makes itself after the commit: it [`remove`]s the
/// row once the call has succeeded, and otherwise the relay makes the call.
pub async fn put_delayed<T: Serialize + Sync>(
    conn: &mut PgConnection,
    topic: &str,
    id: Uuid,
    payload: &T,
    delay: Duration,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO outbox (topic, id, payload, traceparent, due_at, created_at)
         VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', now())
         ON CONFLICT (topic, id) DO NOTHING",
    )
    .bind(topic)
    .bind(id)
    .bind(Json(payload))
    .bind(telemetry::traceparent())
    .bind(delay.as_secs_f64())
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a row whose work is done; false if there is none. A delivery that has begun is
/// not stopped.
pub async fn remove(conn: &mut PgConnection, topic: &str, id: Uuid) -> sqlx::Result<bool> {
    let removed = sqlx::query("DELETE FROM outbox WHERE topic = $1 AND id = $2")
        .bind(topic)
        .bind(id)
        .execute(conn)
        .await?;
    Ok(removed.rows_affected() == 1)
}

/// Wakes the relay of a topic after a commit. A row whose notification was lost, or was
/// written by another process, is found within a second.
#[derive(Debug, Clone, Default)]
pub struct OutboxNotifier(Arc<Mutex<HashMap<&'static str, Arc<Notify>>>>);

impl OutboxNotifier {
    /// Wakes the relay of a topic that has a new row.
    pub fn notify(&self, topic: &'static str) {
        self.of(topic).notify_one();
    }

    /// Returns what a topic's relay waits on. A notification during a round wakes the relay after
    /// the round.
    pub(crate) fn of(&self, topic: &'static str) -> Arc<Notify> {
        let mut topics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(topics.entry(topic).or_default())
    }
}

/// A row that is handed to its handler.
#[derive(Debug)]
pub struct Event {
    /// The row's id, the same at every try, by which the callee recognises a repeat.
    pub id: Uuid,
    /// Which try this is, from 1.
    pub attempt: i32,
    payload: serde_json::Value,
}

impl Event {
    /// Returns the payload that was put.
    pub fn payload<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        serde_json::from_value(self.payload.clone()).context("an outbox row of another form")
    }
}

/// How a try without an error ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The row is done and is deleted.
    Done,
    /// The delivery comes too early: hand the row over again after this pause. Not counted as a
    /// try.
    Later(Duration),
}

impl From<()> for Delivery {
    fn from((): ()) -> Self {
        Self::Done
    }
}
