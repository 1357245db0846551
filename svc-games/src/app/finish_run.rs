//! Writes the outcome of a run in one transaction: the outcome itself, the best runs, the inputs
//! for an operator, and the outbox row for svc-tournament.

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;

use super::{
    prove::{Claim, Proven, count_outcome},
    record_score::{self, CountedBy},
};
use crate::{
    app::Cx,
    domain::{HoldReason, RunOutcome, ScoredRun, Trust},
    error::Error,
    store::{self, held_run::Held},
};

/// Ends the session of a run that was proven or refused. Returns its outcome; if the same
/// submission arrives twice at once, both calls return the first outcome.
pub(super) async fn finish_run(
    cx: &Cx,
    claim: &Claim<'_>,
    proven: Proven,
) -> Result<RunOutcome, Error> {
    let mut tx = cx.db.begin().await?;
    let (outcome, hold) = hold(&mut tx, claim, &proven).await?;
    let session = claim.session;
    if !store::session::finish(&mut tx, session.id, outcome).await? {
        let first = store::session::outcome(&mut tx, session.id).await?;
        return Ok(first.context("a session that ended without an outcome")?);
    }
    if let RunOutcome::Scored { points, trust } = outcome {
        let run = ScoredRun {
            session: session.id,
            player: session.player,
            game: session.game,
            rules: session.proof.rules(),
            tournament: session.tournament,
            seeds: proven.seeds,
            level: session.level,
            points,
            inputs: proven.inputs.bytes().to_vec(),
            reached_at: claim.submitted_at,
            began_at: claim.submitted_at - session.played_for(claim.submitted_at),
        };
        if let Some(reason) = hold {
            let elapsed = session.played_for(claim.submitted_at);
            let held = Held { reason, actions: proven.actions, elapsed };
            store::held_run::insert(&mut tx, &run, held).await?;
        } else {
            record_score::count(&mut tx, &run, trust, CountedBy::Player).await?;
        }
    }
    tx.commit().await?;
    count_outcome(outcome);
    Ok(outcome)
}

/// Returns the outcome, and the reason if the run is held. A run in a tournament is also held if
/// another player had the same inputs in its round first.
async fn hold(
    conn: &mut PgConnection,
    claim: &Claim<'_>,
    proven: &Proven,
) -> Result<(RunOutcome, Option<HoldReason>), Error> {
    match (proven.outcome, &claim.session.tournament) {
        (outcome @ RunOutcome::Scored { trust: Trust::Held, .. }, _) => {
            Ok((outcome, Some(HoldReason::InhumanRate)))
        }
        (RunOutcome::Scored { points, trust: Trust::Proven }, Some(round))
            if proven.is_comparable =>
        {
            let player = claim.session.player;
            let inputs = Sha256::digest(proven.inputs.canonical()).into();
            let first =
                store::tournament_inputs::first_player(conn, round, &inputs, player).await?;
            if first == player {
                return Ok((proven.outcome, None));
            }
            let outcome = RunOutcome::Scored { points, trust: Trust::Held };
            Ok((outcome, Some(HoldReason::SameInputs)))
        }
        (outcome, _) => Ok((outcome, None)),
    }
}
