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
//!     created_at  timestamptz NOT NULL,
//!     -- When it was given up; nobody tries it any more.
//!     parked_at   timestamptz
//! );
//! CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
//! ```
//!
//! A row that cannot be delivered is parked after a day of tries, with an error in the
//! log. Once its cause is mended, `UPDATE outbox SET parked_at = NULL, attempts = 0`
//! sets it on its way again.

mod relay;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use serde::{Serialize, de::DeserializeOwned};
use sqlx::{PgConnection, types::Json};
use tokio::sync::watch;
use types::{Chance, Clock};
use uuid::Uuid;

use crate::telemetry;

pub use self::relay::Relay;

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

/// What became of a try that met no trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Paid.
    Done,
    /// There is nothing to be done yet: to be handed over again after so long. That is
    /// no failure, and no try that counts.
    Later(Duration),
}

impl From<()> for Delivery {
    fn from((): ()) -> Self {
        Self::Done
    }
}
