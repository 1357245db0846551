//! Returns what a player may still play in a tournament.

use mesh::instrument;
use types::PlayerId;

use super::round::runs_left;
use crate::{
    app::Cx,
    domain::{RoundRuns, TournamentId},
    error::Error,
};

/// Returns what the player may still play in the round that is on.
#[instrument(name = "games.get_runs_left", skip_all,
    fields(player.id = %player, tournament.id = %tournament))]
pub(crate) async fn get_runs_left(
    cx: &Cx,
    player: PlayerId,
    tournament: TournamentId,
) -> Result<RoundRuns, Error> {
    let open = cx.tournaments.open_round(tournament).await?;
    let mut conn = cx.db.acquire().await?;
    runs_left(&mut conn, player, &open, cx.clock.now()).await
}
