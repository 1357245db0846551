//! Finds out whether much cash depends on a game.

use mesh::instrument;

use super::Cx;
use crate::{domain::GameId, error::Error, store};

/// Whether two operators decide about a game's proofs: whether the cash of its tournaments that are
/// not settled is more than one operator publishes alone.
#[instrument(name = "tournament.get_cash_at_stake", skip_all, fields(game.id = %game))]
pub(crate) async fn get_cash_at_stake(cx: &Cx, game: GameId) -> Result<bool, Error> {
    let mut conn = cx.db.acquire().await?;
    let cash = store::tournament::cash_at_stake(&mut conn, game).await?;
    Ok(cash > cx.cash_confirmed_over)
}
