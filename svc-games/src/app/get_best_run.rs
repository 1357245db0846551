//! A player's best run in a game.

use mesh::instrument;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{GameId, Run},
    error::Error,
    store,
};

/// Returns the player's best run in the game, for watching, if there is one.
#[instrument(name = "games.get_best_run", skip_all, fields(player.id = %player, game.id = %game))]
pub(crate) async fn get_best_run(
    cx: &Cx,
    player: PlayerId,
    game: GameId,
) -> Result<Option<Run>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::best_run::find(&mut conn, player, game).await?)
}
