//! One game.

use mesh::instrument;

use crate::{
    app::Cx,
    domain::{Game, GameId},
    error::{Error, Refused},
    store,
};

/// The game with this id.
#[instrument(name = "games.get_game", skip_all, fields(game.id = %id))]
pub(crate) async fn get_game(cx: &Cx, id: GameId) -> Result<Game, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::game::find(&mut conn, id).await?;
    Ok(found.ok_or(Refused::GameNotFound)?)
}
