//! `wallet`: players' balances.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId};
use uuid::Uuid;

/// A wallet whose row is locked until the transaction ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LockedWallet {
    pub(crate) account: Uuid,
    pub(crate) player: PlayerId,
}

/// The posted and the held amount of a player; both zero for a player without a wallet.
#[statement]
pub(crate) async fn balance(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<(Money, Money)> {
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

/// Locks the wallets of `players`, and opens those that do not exist yet.
///
/// Rows are locked in the order of their accounts, so that two transfers in opposite
/// directions wait for each other instead of deadlocking.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    players: &[PlayerId],
) -> sqlx::Result<Vec<LockedWallet>> {
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

async fn lock_existing(
    conn: &mut PgConnection,
    players: &[PlayerId],
) -> sqlx::Result<Vec<LockedWallet>> {
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
        .map(|row| LockedWallet { account: row.account_id, player: row.player_id.into() })
        .collect())
}

/// Opens a wallet unless the player has one. The account's id is the player's, so two
/// transactions cannot open two wallets for one player.
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
