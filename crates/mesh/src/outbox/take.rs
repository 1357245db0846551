//! Takes rows that are due.

use std::time::Duration;

use uuid::Uuid;

use super::circuit::ProbePauses;
use crate::db::Pool;

/// The limits of a relay.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) attempts: i32,
    pub(super) crashes: i32,
    pub(super) lease: Duration,
    pub(super) outage_pause: Duration,
    pub(super) probes: ProbePauses,
}

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) payload: serde_json::Value,
    pub(super) traceparent: Option<String>,
    pub(super) attempts: i32,
    /// Whether the row became a dead letter just now.
    pub(super) parked: bool,
}

/// Leases rows that are due. Parameters: topic, most rows, seconds of the lease, most attempts,
/// most crashes.
pub(super) const TAKE: &str = "UPDATE outbox SET
         attempts = attempts + 1,
         crashes = crashes + leased::integer,
         leased = true,
         due_at = now() + $3 * interval '1 second',
         parked_at = CASE
             WHEN attempts >= $4 OR crashes + leased::integer >= $5 THEN now()
         END
     WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM outbox WHERE topic = $1 AND due_at <= now() AND parked_at IS NULL
         ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
     RETURNING id, payload, traceparent, attempts, parked_at IS NOT NULL AS parked";

/// Leases the rows that are due. No lock is held while they are delivered; when this
/// process dies, another takes them after the lease. A row that was leased before
/// and never settled counts as a crash.
pub(super) async fn take(
    db: &Pool,
    topic: &str,
    most: usize,
    limits: &Limits,
) -> sqlx::Result<Vec<Row>> {
    let mut conn = db.acquire().await?;
    sqlx::query_as(TAKE)
        .bind(topic)
        .bind(i64::try_from(most).unwrap_or(1))
        .bind(limits.lease.as_secs_f64())
        .bind(limits.attempts)
        .bind(limits.crashes)
        .fetch_all(&mut *conn)
        .await
}

/// Whether the topic has a row that is still to be delivered.
pub(super) async fn any_row_waits(db: &Pool, topic: &str) -> sqlx::Result<bool> {
    let mut conn = db.acquire().await?;
    sqlx::query_scalar("SELECT EXISTS (SELECT FROM outbox WHERE topic = $1 AND parked_at IS NULL)")
        .bind(topic)
        .fetch_one(&mut *conn)
        .await
}
