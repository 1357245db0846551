//! The open round of a tournament, and the runs that count in it.

use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{GameId, OpenRound, RoundRuns, TournamentId},
    error::{Error, Refused},
    store,
};

/// Returns the open round of a tournament, which must be one of this game.
pub(super) async fn open_round(
    cx: &Cx,
    tournament: TournamentId,
    game: GameId,
) -> Result<OpenRound, Error> {
    let open = cx.tournaments.open_round(tournament).await?;
    if open.game != game {
        return Err(Refused::TournamentNotFound.into());
    }
    Ok(open)
}

/// Returns what the player may still play in the round.
pub(super) async fn runs_left(
    conn: &mut PgConnection,
    player: PlayerId,
    open: &OpenRound,
    now: OffsetDateTime,
) -> Result<RoundRuns, Error> {
    let round = open.round;
    let runs = store::tournament_runs::get(conn, player, &round).await?;
    let has_open_run = store::session::has_open_run(conn, player, round.tournament, now).await?;
    Ok(RoundRuns { runs_left: open.runs_left(runs), has_open_run, round: round.round })
}

/// Counts a run that the player begins in the round.
pub(super) async fn count_run(
    conn: &mut PgConnection,
    player: PlayerId,
    open: &OpenRound,
) -> Result<(), Error> {
    let limit = i32::try_from(open.runs_per_round).unwrap_or(i32::MAX);
    let counted = store::tournament_runs::count(conn, player, &open.round, limit).await?;
    counted.ok_or(Refused::NoRunsLeft)?;
    Ok(())
}
