//! `used_captcha`: solutions that were spent.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Spends a solution; false when it was spent before.
#[statement]
pub(crate) async fn spend(
    conn: &mut PgConnection,
    signature: &str,
    expires_at: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO used_captcha (signature, expires_at) VALUES ($1, $2)
         ON CONFLICT (signature) DO NOTHING",
        signature,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes expired solutions; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM used_captcha WHERE signature IN
           (SELECT signature FROM used_captcha WHERE expires_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
