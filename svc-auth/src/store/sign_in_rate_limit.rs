//! `sign_in_rate_limit`: recent failed sign-ins of each account.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

/// A row of `sign_in_rate_limit`.
pub(crate) struct Failures {
    /// Oldest first.
    pub(crate) failures: Vec<OffsetDateTime>,
    /// Until when the limit is lenient.
    pub(crate) lenient_until: Option<OffsetDateTime>,
}

/// Locks and returns an account's row; creates it if it does not exist. Attempts at one account
/// wait for each other here.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    account: &[u8; 32],
    expires_at: OffsetDateTime,
) -> sqlx::Result<Failures> {
    // DO UPDATE, because DO NOTHING would neither lock nor return the row.
    sqlx::query_as!(
        Failures,
        "INSERT INTO sign_in_rate_limit (account, failures, expires_at) VALUES ($1, '{}', $2)
         ON CONFLICT (account) DO UPDATE SET expires_at = EXCLUDED.expires_at
         RETURNING failures, lenient_until",
        account.as_slice(),
        expires_at,
    )
    .fetch_one(conn)
    .await
}

/// Sets the failures of a locked row.
#[statement]
pub(crate) async fn update(
    conn: &mut PgConnection,
    account: &[u8; 32],
    failures: &[OffsetDateTime],
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sign_in_rate_limit SET failures = $2 WHERE account = $1",
        account.as_slice(),
        failures,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes an account's failures after a right password.
#[statement]
pub(crate) async fn clear(conn: &mut PgConnection, account: &[u8; 32]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM sign_in_rate_limit WHERE account = $1", account.as_slice())
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes an account's failures and makes its limit lenient until a time.
#[statement]
pub(crate) async fn set_lenient(
    conn: &mut PgConnection,
    account: &[u8; 32],
    until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO sign_in_rate_limit (account, failures, expires_at, lenient_until)
         VALUES ($1, '{}', $2, $2)
         ON CONFLICT (account) DO UPDATE SET failures = '{}',
           expires_at = EXCLUDED.expires_at, lenient_until = EXCLUDED.lenient_until",
        account.as_slice(),
        until,
    )
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
