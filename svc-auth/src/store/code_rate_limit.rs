//! `code_rate_limit`: when codes were sent to each phone.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Locks a phone's row and returns when codes were sent, oldest first. Creates the row if it
/// does not exist. Requests for one phone wait for each other here.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    phone: &[u8; 32],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<OffsetDateTime>> {
    // DO UPDATE, because DO NOTHING would neither lock nor return the row.
    sqlx::query_scalar!(
        "INSERT INTO code_rate_limit (phone, sent, expires_at) VALUES ($1, '{}', $2)
         ON CONFLICT (phone) DO UPDATE SET expires_at = code_rate_limit.expires_at
         RETURNING sent",
        phone.as_slice(),
        now,
    )
    .fetch_one(conn)
    .await
}

/// Sets the times of the codes that were sent to a locked phone.
#[statement]
pub(crate) async fn update(
    conn: &mut PgConnection,
    phone: &[u8; 32],
    sent: &[OffsetDateTime],
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE code_rate_limit SET sent = $2, expires_at = $3 WHERE phone = $1",
        phone.as_slice(),
        sent,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a code that was counted and not sent.
#[statement]
pub(crate) async fn remove(
    conn: &mut PgConnection,
    phone: &[u8; 32],
    sent_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE code_rate_limit SET sent = array_remove(sent, $2) WHERE phone = $1",
        phone.as_slice(),
        sent_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the rows of phones whose codes no longer count; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM code_rate_limit WHERE phone IN
           (SELECT phone FROM code_rate_limit WHERE expires_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
