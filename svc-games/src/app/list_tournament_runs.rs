//! The runs of the first places of a final board.

use mesh::instrument;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{Run, TournamentId},
    error::Error,
    store,
};

/// Returns the best runs of players in a tournament, those that the rules prove.
#[instrument(name = "games.list_tournament_runs", skip_all, fields(tournament.id = %tournament))]
pub(crate) async fn list_tournament_runs(
    cx: &Cx,
    tournament: TournamentId,
    players: &[PlayerId],
) -> Result<Vec<Run>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::tournament_run::list(&mut conn, tournament, players).await?)
}
