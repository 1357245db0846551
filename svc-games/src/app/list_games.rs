//! All games.

use mesh::instrument;

use crate::{app::Cx, domain::Game, error::Error, store};

/// Most games in one reply.
const LIMIT: i64 = 500;

/// All games: featured ones first, then by name.
#[instrument(name = "games.list_games", skip_all)]
pub(crate) async fn list_games(cx: &Cx) -> Result<Vec<Game>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::game::list(&mut conn, LIMIT).await?)
}
