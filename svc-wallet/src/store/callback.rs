//! `callback_inbox`: providers' callbacks, stored unchanged.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::domain::CallbackKind;

/// A stored callback.
#[derive(Debug, Clone)]
pub(crate) struct StoredCallback {
    pub(crate) id: Uuid,
    pub(crate) kind: CallbackKind,
    /// SHA-256 of the secret in the callback's path.
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
    content_hash: &[u8],
    source_ip: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO callback_inbox (id, provider, content_hash, secret_hash, body, source_ip,
             received_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT callback_once DO NOTHING",
        callback.id,
        <&str>::from(callback.kind),
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

/// Returns the number of contents that are stored under a secret. Another transaction that adds one
/// waits until this one ends.
#[statement]
pub(crate) async fn count(conn: &mut PgConnection, secret_hash: &[u8]) -> sqlx::Result<i64> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 1))",
        secret_hash
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM callback_inbox WHERE secret_hash = $1"#,
        secret_hash
    )
    .fetch_one(conn)
    .await
}

/// The callback, unless it has an outcome already.
#[statement]
pub(crate) async fn find_open(
    conn: &mut PgConnection,
    id: Uuid,
) -> sqlx::Result<Option<StoredCallback>> {
    let row = sqlx::query!(
        "SELECT id, provider, secret_hash, body, received_at FROM callback_inbox
         WHERE id = $1 AND outcome IS NULL",
        id
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        Ok(StoredCallback {
            id: row.id,
            kind: super::parse("callback_inbox.provider", &row.provider)?,
            secret_hash: row.secret_hash,
            body: row.body,
            received_at: row.received_at,
        })
    })
    .transpose()
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
