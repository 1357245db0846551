//! `callback_inbox`: providers' callbacks, stored unchanged.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// A stored callback.
#[derive(Debug, Clone)]
pub(crate) struct StoredCallback {
    pub(crate) id: Uuid,
    /// SHA-256 of the secret in its path.
    pub(crate) secret_hash: Vec<u8>,
    /// The body as it was received.
    pub(crate) body: Vec<u8>,
    pub(crate) received_at: OffsetDateTime,
}

/// Stores a callback; false when the same content is stored already.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    callback: &StoredCallback,
    provider: &str,
    content_hash: &[u8],
    source_ip: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO callback_inbox (id, provider, content_hash, secret_hash, body, source_ip,
             received_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT callback_once DO NOTHING",
        callback.id,
        provider,
        content_hash,
        callback.secret_hash,
        callback.body,
        source_ip,
        callback.received_at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The callback, unless it has an outcome already.
#[statement]
pub(crate) async fn find_open(
    conn: &mut PgConnection,
    id: Uuid,
) -> sqlx::Result<Option<StoredCallback>> {
    sqlx::query_as!(
        StoredCallback,
        "SELECT id, secret_hash, body, received_at FROM callback_inbox
         WHERE id = $1 AND outcome IS NULL",
        id
    )
    .fetch_optional(conn)
    .await
}

/// Removes up to `limit` callbacks with an outcome that were received before `before`;
/// returns how many.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM callback_inbox WHERE id IN (
             SELECT id FROM callback_inbox WHERE outcome IS NOT NULL AND received_at < $1
             ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Stores the outcome of a callback.
#[statement]
pub(crate) async fn close(conn: &mut PgConnection, id: Uuid, outcome: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE callback_inbox SET outcome = $2 WHERE id = $1", id, outcome)
        .execute(conn)
        .await?;
    Ok(())
}
