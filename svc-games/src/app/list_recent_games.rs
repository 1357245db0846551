//! The games that a player played.

use mesh::instrument;
use types::PlayerId;

use crate::{app::Cx, domain::Game, error::Error, store};

/// Most games in one reply.
const LIMIT: i64 = 20;

/// The player's games, last played first.
#[instrument(name = "games.list_recent_games", skip_all, fields(player.id = %player))]
pub(crate) async fn list_recent_games(cx: &Cx, player: PlayerId) -> Result<Vec<Game>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::recent_game::list(&mut conn, player, LIMIT).await?)
}
