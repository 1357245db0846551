//! `oauth_attempt`, `oauth_exchange`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::PlayerId;

use crate::domain::Provider;

/// A browser that was sent away, as its row has it.
pub(crate) struct Attempt {
    pub(crate) browser_hash: Vec<u8>,
    pub(crate) provider: String,
    pub(crate) expires_at: OffsetDateTime,
}

/// A player who came back.
pub(crate) struct Exchange {
    pub(crate) player: PlayerId,
    pub(crate) is_new: bool,
    pub(crate) expires_at: OffsetDateTime,
}

/// Remembers a browser that is sent to a provider.
#[instrument(name = "db.oauth_attempt.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// Takes an attempt: of two who come with the same state, one gets it.
#[instrument(name = "db.oauth_attempt.take", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// Remembers a player who came back.
#[instrument(name = "db.oauth_exchange.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// Whose a code is. The code is theirs alone to trade: whoever takes it locks them first.
#[instrument(name = "db.oauth_exchange.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn exchange_of(
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

/// Takes what a code of a locked player stands for, once.
#[instrument(name = "db.oauth_exchange.take", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// Takes the codes of a locked player away. One that somebody else holds is over: whoever
/// trades one has locked the player before.
#[instrument(name = "db.oauth_exchange.end", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn end_exchanges(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM oauth_exchange WHERE code_hash IN
           (SELECT code_hash FROM oauth_exchange WHERE player_id = $1 FOR UPDATE SKIP LOCKED)",
        player.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets who did not come back in time; says how many.
#[instrument(name = "db.oauth_attempt.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// Forgets codes that nobody traded in time; says how many.
#[instrument(name = "db.oauth_exchange.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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
