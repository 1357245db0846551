//! `wallet`: players' balances. [`super::ledger`] changes them.

use mesh::db::statement;
use sqlx::PgConnection;
use types::{Money, PlayerId};

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
