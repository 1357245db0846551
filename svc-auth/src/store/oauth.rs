//! `oauth_attempt`, `oauth_exchange`: sign-ins with a provider in progress.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::Provider;

/// A row of `oauth_attempt`.
pub(crate) struct Attempt {
    pub(crate) browser_hash: Vec<u8>,
    pub(crate) provider: String,
    pub(crate) expires_at: OffsetDateTime,
}

/// A row of `oauth_exchange`.
pub(crate) struct Exchange {
    pub(crate) player: PlayerId,
    pub(crate) is_new: bool,
    pub(crate) expires_at: OffsetDateTime,
}

/// Inserts an attempt.
#[statement]
pub(crate) async fn insert_attempt(
    conn: &mut PgConnection,
    state_hash: &[u8; 32],
    browser_hash: &[u8; 32],
    provider: Provider,
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO oauth_attempt (state_hash, browser_hash, provider, expires_at)
         VALUES ($1, $2, $3, $4)",
        state_hash.as_slice(),
        browser_hash.as_slice(),
        provider.as_str(),
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes and returns an attempt: one of concurrent calls gets it.
#[statement]
pub(crate) async fn take_attempt(
    conn: &mut PgConnection,
    state_hash: &[u8; 32],
) -> sqlx::Result<Option<Attempt>> {
    sqlx::query_as!(
        Attempt,
        "DELETE FROM oauth_attempt WHERE state_hash = $1
         RETURNING browser_hash, provider, expires_at",
        state_hash.as_slice(),
    )
    .fetch_optional(conn)
    .await
}

/// Inserts an exchange code.
#[statement]
pub(crate) async fn insert_exchange(
    conn: &mut PgConnection,
    code_hash: &[u8; 32],
    exchange: &Exchange,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO oauth_exchange (code_hash, player_id, is_new, expires_at)
         VALUES ($1, $2, $3, $4)",
        code_hash.as_slice(),
        exchange.player.uuid(),
        exchange.is_new,
        exchange.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The player of an exchange code. Lock the player before taking the code.
#[statement]
pub(crate) async fn find_exchange(
    conn: &mut PgConnection,
    code_hash: &[u8; 32],
) -> sqlx::Result<Option<PlayerId>> {
    let found = sqlx::query_scalar!(
        "SELECT player_id FROM oauth_exchange WHERE code_hash = $1",
        code_hash.as_slice(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.map(PlayerId::from))
}

/// Deletes and returns an exchange code of a locked player.
#[statement]
pub(crate) async fn take_exchange(
    conn: &mut PgConnection,
    code_hash: &[u8; 32],
) -> sqlx::Result<Option<Exchange>> {
    sqlx::query_as!(
        Exchange,
        "DELETE FROM oauth_exchange WHERE code_hash = $1
         RETURNING player_id AS player, is_new, expires_at",
        code_hash.as_slice(),
    )
    .fetch_optional(conn)
    .await
}

/// Deletes the exchange codes of a locked player. Skips a code that another transaction is
/// deleting: without the player's lock, only the sweep deletes codes, and only expired ones.
#[statement]
pub(crate) async fn delete_exchanges(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM oauth_exchange WHERE code_hash IN
           (SELECT code_hash FROM oauth_exchange WHERE player_id = $1 FOR UPDATE SKIP LOCKED)",
        player.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes expired attempts; returns their number.
#[statement]
pub(crate) async fn sweep_attempts(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM oauth_attempt WHERE state_hash IN
           (SELECT state_hash FROM oauth_attempt WHERE expires_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes expired exchange codes; returns their number.
#[statement]
pub(crate) async fn sweep_exchanges(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM oauth_exchange WHERE code_hash IN
           (SELECT code_hash FROM oauth_exchange WHERE expires_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
