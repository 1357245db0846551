//! `sign_in_rate_limit`: recent failed sign-ins of each account.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::domain::Failures;

/// Locks and returns an account's failures; creates the row if it does not exist. Attempts at
/// one account wait for each other here.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    account: &[u8; 32],
    now: OffsetDateTime,
) -> sqlx::Result<Failures> {
    // DO UPDATE, because DO NOTHING would neither lock nor return the row.
    sqlx::query_as!(
        Failures,
        "INSERT INTO sign_in_rate_limit (account, failures, expires_at) VALUES ($1, '{}', $2)
         ON CONFLICT (account) DO UPDATE SET expires_at = sign_in_rate_limit.expires_at
         RETURNING failures AS times, failed AS total",
        account.as_slice(),
        now,
    )
    .fetch_one(conn)
    .await
}

/// Sets the failures of a locked row.
#[statement]
pub(crate) async fn update(
    conn: &mut PgConnection,
    account: &[u8; 32],
    failures: &Failures,
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sign_in_rate_limit SET failures = $2, failed = $3, expires_at = $4
         WHERE account = $1",
        account.as_slice(),
        &failures.times,
        failures.total,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes an account's failures, after a right password or a new one.
#[statement]
pub(crate) async fn clear(conn: &mut PgConnection, account: &[u8; 32]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM sign_in_rate_limit WHERE account = $1", account.as_slice())
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes the rows without a failure that counts; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM sign_in_rate_limit WHERE account IN
           (SELECT account FROM sign_in_rate_limit WHERE expires_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
