//! `callback_inbox`: what providers told us, as it came.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use uuid::Uuid;

/// A message as it came.
#[derive(Debug, Clone)]
pub struct Message {
    /// Ours.
    pub id: Uuid,
    /// SHA-256 of the secret in its path.
    pub secret_hash: Vec<u8>,
    /// Byte for byte.
    pub body: Vec<u8>,
    /// When it came.
    pub received_at: OffsetDateTime,
}

/// Keeps a message; false when the same content is there already.
#[instrument(name = "db.callback.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn insert(
    conn: &mut PgConnection,
    message: &Message,
    provider: &str,
    content_hash: &[u8],
    source_ip: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO callback_inbox (id, provider, content_hash, secret_hash, body, source_ip,
             received_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT callback_once DO NOTHING",
        message.id,
        provider,
        content_hash,
        message.secret_hash,
        message.body,
        source_ip,
        message.received_at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A message that nothing became of yet.
#[instrument(name = "db.callback.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find_open(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Message>> {
    sqlx::query_as!(
        Message,
        "SELECT id, secret_hash, body, received_at FROM callback_inbox
         WHERE id = $1 AND outcome IS NULL",
        id
    )
    .fetch_optional(conn)
    .await
}

/// Forgets messages older than `before` that something became of, `most` at a time;
/// how many.
#[instrument(name = "db.callback.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn sweep(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    most: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM callback_inbox WHERE id IN (
             SELECT id FROM callback_inbox WHERE outcome IS NOT NULL AND received_at < $1
             ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        most
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Writes down what became of it.
#[instrument(name = "db.callback.close", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn close(conn: &mut PgConnection, id: Uuid, outcome: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE callback_inbox SET outcome = $2 WHERE id = $1", id, outcome)
        .execute(conn)
        .await?;
    Ok(())
}
