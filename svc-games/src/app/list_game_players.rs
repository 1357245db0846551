//! The players of a game.

use mesh::instrument;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::PlayersOf,
    error::{Error, Refused},
    store,
};

/// A page of players, with the game's name.
#[instrument(name = "games.list_game_players", skip_all, fields(game.id = %page.game))]
pub(crate) async fn list_game_players(
    cx: &Cx,
    page: PlayersOf,
) -> Result<(String, Vec<PlayerId>), Error> {
    let mut conn = cx.db.acquire().await?;
    let game = store::game::find(&mut conn, page.game).await?.ok_or(Refused::GameNotFound)?;
    let players = store::recent_game::players(&mut conn, page).await?;
    Ok((game.name, players))
}
