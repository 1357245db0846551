//! `wallet`: players' balances.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::{Money, PlayerId};
use uuid::Uuid;

/// A wallet whose row is locked until the transaction ends.
#[derive(Debug, Clone, Copy)]
pub struct Locked {
    /// The ledger account.
    pub account: Uuid,
    /// Whose.
    pub player: PlayerId,
}

/// Balance of a player: posted and held, nothing for a player without a wallet.
#[instrument(name = "db.wallet.balance", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn balance(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<(Money, Money)> {
    let row = sqlx::query!(
        "SELECT posted_cents, held_cents FROM wallet WHERE player_id = $1",
        player.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map_or((Money::ZERO, Money::ZERO), |row| {
        (Money::from_cents(row.posted_cents), Money::from_cents(row.held_cents))
    }))
}

/// Locks the wallets of `players`, making those that are not there yet.
///
/// Rows are locked in the order of their accounts, so that two transfers in
/// opposite directions wait for each other instead of dying.
#[instrument(name = "db.wallet.lock", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn lock(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    players: &[PlayerId],
) -> sqlx::Result<Vec<Locked>> {
    let locked = lock_existing(conn, players).await?;
    if locked.len() == players.len() {
        return Ok(locked);
    }
    let is_missing = |id: &&PlayerId| locked.iter().all(|wallet| wallet.player != **id);
    let mut missing: Vec<PlayerId> = players.iter().filter(is_missing).copied().collect();
    missing.sort_unstable();
    for player in missing {
        open(conn, now, player).await?;
    }
    lock_existing(conn, players).await
}

async fn lock_existing(conn: &mut PgConnection, players: &[PlayerId]) -> sqlx::Result<Vec<Locked>> {
    let ids: Vec<Uuid> = players.iter().map(|player| player.uuid()).collect();
    let rows = sqlx::query!(
        "SELECT account_id, player_id FROM wallet
         WHERE player_id = ANY($1) ORDER BY account_id FOR UPDATE",
        &ids
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Locked { account: row.account_id, player: row.player_id.into() })
        .collect())
}

/// Opens a wallet unless the player has one. The account's id is the player's:
/// one player, one wallet, and no race to settle.
async fn open(conn: &mut PgConnection, now: OffsetDateTime, player: PlayerId) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH opened AS (
             INSERT INTO account (id, kind, created_at) VALUES ($1, 'WALLET', $2)
             ON CONFLICT (id) DO NOTHING
         )
         INSERT INTO wallet (account_id, player_id, created_at) VALUES ($1, $1, $2)
         ON CONFLICT (player_id) DO NOTHING",
        player.uuid(),
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}
