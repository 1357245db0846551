//! `sign_in_guard`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;

/// What is kept of an account.
pub(crate) struct Kept {
    pub(crate) failures: Vec<OffsetDateTime>,
    /// Until then it is spared.
    pub(crate) lenient_until: Option<OffsetDateTime>,
}

/// Locks an account's row, made if need be, and reads it. Tries at one account line up
/// here.
#[instrument(name = "db.guard.lock", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    account: &[u8; 32],
    expires_at: OffsetDateTime,
) -> sqlx::Result<Kept> {
    // DO UPDATE, because DO NOTHING would neither lock nor return the row.
    sqlx::query_as!(
        Kept,
        "INSERT INTO sign_in_guard (account, failures, expires_at) VALUES ($1, '{}', $2)
         ON CONFLICT (account) DO UPDATE SET expires_at = EXCLUDED.expires_at
         RETURNING failures, lenient_until",
        account.as_slice(),
        expires_at,
    )
    .fetch_one(conn)
    .await
}

/// Writes the failures of a locked row.
#[instrument(name = "db.guard.update", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn count(
    conn: &mut PgConnection,
    account: &[u8; 32],
    failures: &[OffsetDateTime],
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sign_in_guard SET failures = $2 WHERE account = $1",
        account.as_slice(),
        failures,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A right password: the failures before it were its owner's own.
#[instrument(name = "db.guard.delete", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn clear(conn: &mut PgConnection, account: &[u8; 32]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM sign_in_guard WHERE account = $1", account.as_slice())
        .execute(conn)
        .await?;
    Ok(())
}

/// Forgets the failures of an account, and spares it until a moment.
#[instrument(name = "db.guard.spare", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn spare(
    conn: &mut PgConnection,
    account: &[u8; 32],
    until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO sign_in_guard (account, failures, expires_at, lenient_until)
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

/// Forgets accounts that nobody tried within the window; says how many.
#[instrument(name = "db.guard.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM sign_in_guard WHERE account IN
           (SELECT account FROM sign_in_guard WHERE expires_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
