//! The screening of how the winning runs of a tournament were played.

use mesh::instrument;
use types::PlayerId;

use super::prove::rules;
use crate::{
    app::Cx,
    domain::{Inputs, Run, TournamentId, find_exact_presses},
    error::Error,
    proof::ReplayError,
    store,
};

/// What operators read of a run whose replay fails, although an earlier one has proven it.
const NO_REPLAY: &str = "has a run that cannot be replayed";

/// A doubt about the best run of a player, as operators read it.
#[derive(Debug)]
pub(crate) struct RunDoubt {
    pub(crate) player: PlayerId,
    pub(crate) text: String,
}

/// Replays the best runs of players in a tournament, and returns a doubt for each that a person may
/// not have played.
#[instrument(name = "games.screen_runs", skip_all, fields(tournament.id = %tournament))]
pub(crate) async fn screen_runs(
    cx: &Cx,
    tournament: TournamentId,
    players: &[PlayerId],
) -> Result<Vec<RunDoubt>, Error> {
    let mut conn = cx.db.acquire().await?;
    let runs = store::tournament_run::list(&mut conn, tournament, players).await?;
    drop(conn);
    let mut doubts = Vec::new();
    for run in runs {
        let player = run.player;
        doubts.extend(find_doubt(cx, run).await?.map(|text| RunDoubt { player, text }));
    }
    Ok(doubts)
}

async fn find_doubt(cx: &Cx, run: Run) -> Result<Option<String>, Error> {
    let rules = rules(cx, run.rules).await?;
    let pace = rules.pace;
    let seeds = [vec![run.seeds.first], run.seeds.next].concat();
    let answers = match Inputs::parse(run.inputs) {
        Ok(inputs) => cx.replays.answers(rules, seeds, run.level, inputs).await,
        Err(error) => Err(ReplayError::Failed(error.into())),
    };
    match answers {
        Ok(answers) => Ok(find_exact_presses(&answers, pace).map(|found| found.to_string())),
        Err(ReplayError::Busy) => Err(mesh::Fault::overloaded().into()),
        // Another try would end in the same way, and the prizes of other tournaments wait for it.
        Err(error) => {
            tracing::error!(%error, session.id = %run.session, "a proven run cannot be replayed");
            Ok(Some(NO_REPLAY.to_owned()))
        }
    }
}
