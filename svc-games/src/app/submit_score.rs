//! Ends a play session: proves the score of its run.

use anyhow::Context as _;
use mesh::instrument;
use metrics::counter;
use sha2::{Digest as _, Sha256};
use tracing::Span;

use crate::{
    app::Cx,
    domain::{Inputs, Outcome, RulesHash, RunRefusal, Submission, Trust},
    error::{Error, Refused},
    proof::{ReplayError, RulesModule, Ticket},
    store::{
        self,
        session::{Claimed, Unclaimed},
    },
};

/// A score that was proven.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score {
    pub(crate) points: i32,
    /// The player's most points in the game.
    pub(crate) best: i32,
    pub(crate) trust: Trust,
}

/// Ends the ticket's session with a run. A repeat gets the first reply: the session is
/// claimed before the replay, and a process that dies in between leaves a claim that the
/// same submission continues.
#[instrument(name = "games.submit_score", skip_all,
    fields(session.id = %ticket.session, player.id, game.id))]
pub(crate) async fn submit_score(
    cx: &Cx,
    ticket: &Ticket,
    inputs: Inputs,
    points: i32,
) -> Result<Score, Error> {
    let claimed = claim(cx, ticket, &inputs, points).await?;
    let session = &claimed.session;
    let span = Span::current();
    span.record("player.id", session.player.to_string());
    span.record("game.id", session.game.to_string());
    let outcome = match claimed.outcome {
        Some(outcome) => outcome,
        None => prove(cx, &claimed, &inputs, points).await?,
    };
    let mut tx = cx.db.begin().await?;
    if claimed.outcome.is_none() {
        store::session::finish(&mut tx, session.id, outcome).await?;
        if let Outcome::Scored { points, trust: Trust::Proven } = outcome {
            let at = claimed.submitted_at;
            store::best_run::keep_better(&mut tx, session, points, &inputs, at).await?;
        }
    }
    let best = store::best_run::points(&mut tx, session.player, session.game).await?;
    tx.commit().await?;
    match outcome {
        Outcome::Scored { points, trust } => Ok(Score { points, best: best.unwrap_or(0), trust }),
        Outcome::Refused(refusal) => Err(Refused::Score(refusal).into()),
    }
}

async fn claim(cx: &Cx, ticket: &Ticket, inputs: &Inputs, points: i32) -> Result<Claimed, Error> {
    let submission = Sha256::new()
        .chain_update(points.to_be_bytes())
        .chain_update(inputs.bytes())
        .finalize()
        .into();
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let claimed =
        store::session::claim(&mut conn, ticket.session, &ticket.hash(), &submission, now).await?;
    Ok(claimed.map_err(|unclaimed| match unclaimed {
        Unclaimed::Unknown => Refused::SessionNotFound,
        Unclaimed::Expired => Refused::SessionExpired,
        Unclaimed::Used => Refused::SessionUsed,
    })?)
}

/// Replays the run and decides what its score rests on.
async fn prove(cx: &Cx, claimed: &Claimed, inputs: &Inputs, points: i32) -> Result<Outcome, Error> {
    let Claimed { session, submitted_at, .. } = claimed;
    let rules = rules(cx, session.rules).await?;
    let submission = Submission { inputs, points, elapsed: *submitted_at - session.started_at };
    let pace = rules.pace;
    let proven = match submission.check_time(pace) {
        Err(refusal) => Err(refusal),
        Ok(()) => match cx.replays.replay(rules, session, inputs.clone()).await {
            Ok(proven) => submission.trust(pace, proven).map(|trust| (proven, trust)),
            Err(ReplayError::Refused(refusal)) => Err(refusal),
            Err(ReplayError::Busy) => return Err(mesh::Fault::overloaded().into()),
            Err(ReplayError::Failed(error)) => return Err(error.into()),
        },
    };
    counter!("runs_submitted_total", "outcome" => label(proven)).increment(1);
    Ok(match proven {
        Ok((points, trust)) => Outcome::Scored { points, trust },
        Err(refusal) => Outcome::Refused(refusal),
    })
}

fn label(proven: Result<(i32, Trust), RunRefusal>) -> &'static str {
    match proven {
        Ok((_, Trust::Held)) => "held",
        Ok(_) => "proven",
        Err(refusal) => refusal.into(),
    }
}

/// The compiled module, from the cache or from the database.
async fn rules(cx: &Cx, hash: RulesHash) -> Result<RulesModule, Error> {
    if let Some(rules) = cx.rules.get(&hash) {
        return Ok(rules);
    }
    let mut conn = cx.db.acquire().await?;
    let module = store::rules::find(&mut conn, hash).await?;
    drop(conn);
    let module = module.with_context(|| format!("there are no rules {hash}"))?;
    let rules = RulesModule::new(&module).with_context(|| format!("rules {hash}"))?;
    cx.rules.insert(hash, rules.clone());
    Ok(rules)
}
