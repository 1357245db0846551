//! Finds out whether much cash depends on a game.

use mesh::instrument;
use time::Duration;

use super::Cx;
use crate::{
    domain::{GameId, LATE_SCORES},
    error::Error,
    store,
};

/// How far the clocks of replicas may differ. A replica whose clock is behind still gives the award of
/// a run that is released now.
const CLOCKS: Duration = Duration::minutes(5);

/// Whether two operators release a run of a game, and none removes the game: whether the cash of its
/// tournaments that are not settled, or in which a released run still wins, is more than one operator
/// publishes alone.
#[instrument(name = "tournament.get_cash_at_stake", skip_all, fields(game.id = %game))]
pub(crate) async fn get_cash_at_stake(cx: &Cx, game: GameId) -> Result<bool, Error> {
    let mut conn = cx.db.acquire().await?;
    let ended_after = cx.clock.now() - LATE_SCORES - CLOCKS;
    let cash = store::tournament::cash_at_stake(&mut conn, game, ended_after).await?;
    Ok(cash > cx.cash_confirmed_over)
}
