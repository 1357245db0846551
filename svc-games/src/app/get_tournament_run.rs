//! A player's best run in a tournament.

use mesh::instrument;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{Run, TournamentId},
    error::{Error, Refused},
    store,
};

/// Returns a player's best run in a tournament, for watching: the caller's own at any time, a
/// podium player's once the tournament is settled. Earlier, other players could rehearse its
/// inputs.
#[instrument(name = "games.get_tournament_run", skip_all,
    fields(player.id = %player, tournament.id = %tournament))]
pub(crate) async fn get_tournament_run(
    cx: &Cx,
    caller: PlayerId,
    tournament: TournamentId,
    player: PlayerId,
) -> Result<Run, Error> {
    let run = find(cx, tournament, player).await?;
    if caller != player && !is_on_podium(cx, tournament, player).await? {
        return Err(Refused::RunNotFound.into());
    }
    Ok(run)
}

/// Returns a player's best run in a tournament, for operators.
#[instrument(name = "games.get_player_run", skip_all,
    fields(player.id = %player, tournament.id = %tournament))]
pub(crate) async fn get_player_run(
    cx: &Cx,
    tournament: TournamentId,
    player: PlayerId,
) -> Result<Run, Error> {
    find(cx, tournament, player).await
}

async fn find(cx: &Cx, tournament: TournamentId, player: PlayerId) -> Result<Run, Error> {
    let mut conn = cx.db.acquire().await?;
    let run = store::tournament_run::list(&mut conn, tournament, &[player]).await?.pop();
    Ok(run.ok_or(Refused::RunNotFound)?)
}

async fn is_on_podium(cx: &Cx, tournament: TournamentId, player: PlayerId) -> Result<bool, Error> {
    match cx.tournaments.podium(tournament).await {
        Ok(podium) => Ok(podium.contains(&player)),
        Err(Error::Refused(Refused::TournamentNotFound)) => Ok(false),
        Err(error) => Err(error),
    }
}
