//! Stores the outcomes of deliveries, many in one statement.

use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tracing::warn;
use uuid::Uuid;

use crate::db::Pool;

/// Most outcomes in one statement.
const BATCH: usize = 256;

/// How a delivery ended.
pub(super) enum DeliveryOutcome {
    Delivered,
    /// The row is delivered again after `pause`, with this number of tries counted.
    Retry {
        attempts: i32,
        pause: Duration,
    },
    /// The row is kept as a dead letter.
    Park,
}

/// A delivery that ended.
pub(super) struct Settled {
    pub(super) id: Uuid,
    pub(super) outcome: DeliveryOutcome,
    /// Released when the outcome is stored.
    pub(super) _permit: OwnedSemaphorePermit,
}

/// Deletes the delivered rows. Parameters: topic, ids. Looks up one row after the other: a
/// statement with `id = ANY ($2)` would be planned for an empty table, where reading all rows of
/// the topic is as cheap, and keep that plan.
pub(super) const REMOVE: &str = "DELETE FROM outbox WHERE ctid = ANY (ARRAY(
         SELECT place FROM unnest($2::uuid[]) AS delivered (id), LATERAL (
             SELECT ctid AS place FROM outbox WHERE topic = $1 AND id = delivered.id LIMIT 1
         ) AS one))";

/// Settles the deliveries of a topic until all senders are dropped. While one statement
/// runs the next batch forms, so no outcome waits for a batch to fill. An outcome that
/// cannot be stored is lost, and the row is delivered again after its lease.
pub(super) async fn settle(
    db: Pool,
    topic: &'static str,
    mut outcomes: mpsc::UnboundedReceiver<Settled>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while outcomes.recv_many(&mut batch, BATCH).await > 0 {
        let (delivered, others): (Vec<_>, Vec<_>) = batch
            .drain(..)
            .partition(|settled| matches!(settled.outcome, DeliveryOutcome::Delivered));
        if let Err(error) = write(&db, topic, &delivered, &others).await {
            warn!(%error, topic, "outbox rows were not settled");
        }
    }
}

async fn write(
    db: &Pool,
    topic: &str,
    delivered: &[Settled],
    others: &[Settled],
) -> sqlx::Result<()> {
    let mut conn = db.acquire().await?;
    if !delivered.is_empty() {
        let ids: Vec<Uuid> = delivered.iter().map(|settled| settled.id).collect();
        sqlx::query(REMOVE).bind(topic).bind(&ids).execute(&mut *conn).await?;
    }
    for Settled { id, outcome, .. } in others {
        let query = match outcome {
            DeliveryOutcome::Delivered => continue,
            DeliveryOutcome::Retry { attempts, pause } => sqlx::query(
                "UPDATE outbox SET leased = false, attempts = $3, crashes = 0,
                     due_at = now() + $4 * interval '1 second'
                 WHERE topic = $1 AND id = $2",
            )
            .bind(topic)
            .bind(id)
            .bind(attempts)
            .bind(pause.as_secs_f64()),
            DeliveryOutcome::Park => sqlx::query(
                "UPDATE outbox SET leased = false, parked_at = now()
                 WHERE topic = $1 AND id = $2",
            )
            .bind(topic)
            .bind(id),
        };
        query.execute(&mut *conn).await?;
    }
    Ok(())
}
