//! Lists players on a break, whom another service does not invite to play.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{error::Error, store};

/// Returns those of the players who are on a break.
#[instrument(name = "auth.list_players_on_break", skip_all, fields(count = players.len()))]
pub(crate) async fn list_players_on_break(
    cx: &Cx,
    players: &[PlayerId],
) -> Result<Vec<PlayerId>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::person::on_break(&mut conn, players, cx.clock.now()).await?)
}
