//! Proves a run by the method of its game.

use anyhow::Context as _;
use metrics::counter;
use time::OffsetDateTime;

use crate::{
    app::Cx,
    domain::{
        Inputs, PlaySession, Proof, RulesHash, RunOutcome, RunRefusal, Seeds, Submission, Trust,
    },
    error::Error,
    proof::{ReplayError, RulesModule, seeds},
    store,
};

/// A run that was submitted to its session.
pub(super) struct Claim<'a> {
    pub(super) session: &'a PlaySession,
    pub(super) submitted_at: OffsetDateTime,
    pub(super) inputs: &'a Inputs,
    pub(super) points: i32,
    pub(super) signature: &'a [u8],
}

/// The result of proving a run.
#[derive(Debug)]
pub(super) struct Proven {
    pub(super) outcome: RunOutcome,
    /// The inputs that count.
    pub(super) inputs: Inputs,
    pub(super) seeds: Seeds,
    /// Number of the player's actions: changes of the input in a game in time, moves in a game of
    /// moves.
    pub(super) actions: u64,
    /// Whether another player with the same inputs must have copied them.
    pub(super) is_comparable: bool,
}

/// Proves the score of a run: by a replay, by the signature of the game's server, or not at all.
pub(super) async fn prove(cx: &Cx, claim: &Claim<'_>) -> Result<Proven, Error> {
    let points = claim.points;
    let outcome = match claim.session.proof {
        Proof::Replay(rules) => return replay(cx, claim, rules).await,
        Proof::Signature(key) if key.verify(claim.session.id, points, claim.signature) => {
            RunOutcome::Scored { points, trust: Trust::Signed }
        }
        Proof::Signature(_) => RunOutcome::Refused(RunRefusal::BadSignature),
        Proof::Claim => RunOutcome::Scored { points, trust: Trust::Claimed },
    };
    let seeds = Seeds { first: claim.session.seed, next: Vec::new() };
    Ok(Proven { outcome, inputs: claim.inputs.clone(), seeds, actions: 0, is_comparable: false })
}

async fn replay(cx: &Cx, claim: &Claim<'_>, hash: RulesHash) -> Result<Proven, Error> {
    let rules = rules(cx, hash).await?;
    let elapsed = claim.session.played_for(claim.submitted_at);
    let (pace, length) = (rules.pace, rules.pieces());
    let counted = match (&claim.session.pieces, length) {
        (Some(pieces), Some(length)) => pieces.counted(claim.inputs, length, elapsed),
        _ => Ok(claim.inputs.clone()),
    };
    let inputs = counted.as_ref().unwrap_or(claim.inputs).clone();
    let points = (inputs == *claim.inputs).then_some(claim.points);
    let submission = Submission { inputs: &inputs, points, elapsed };
    let (mut known, level) = (seeds(claim.session), claim.session.level);
    let replayed = match counted.and_then(|_| submission.check_time(pace)) {
        Err(refusal) => Err(refusal),
        Ok(()) => match cx.replays.replay(rules, known.clone(), level, inputs.clone()).await {
            Ok(points) => submission.trust(pace, points).map(|trust| (points, trust)),
            Err(ReplayError::Refused(refusal)) => Err(refusal),
            Err(ReplayError::Busy) => return Err(mesh::Fault::overloaded().into()),
            Err(ReplayError::Failed(error)) => return Err(error.into()),
        },
    };
    known.truncate(length.map_or(1, |length| length.pieces(inputs.steps())));
    Ok(Proven {
        outcome: match replayed {
            Ok((points, trust)) => RunOutcome::Scored { points, trust },
            Err(refusal) => RunOutcome::Refused(refusal),
        },
        actions: inputs.actions(pace.is_in_time()),
        is_comparable: submission.is_comparable(pace),
        seeds: Seeds { first: claim.session.seed, next: known.into_iter().skip(1).collect() },
        inputs,
    })
}

/// Increments `runs_submitted_total` for the outcome of a run.
pub(super) fn count_outcome(outcome: RunOutcome) {
    let outcome = match outcome {
        RunOutcome::Scored { trust, .. } => match trust {
            Trust::Proven => "proven",
            Trust::Signed => "signed",
            Trust::Claimed => "claimed",
            Trust::Held => "held",
        },
        RunOutcome::Refused(refusal) => refusal.into(),
    };
    counter!("runs_submitted_total", "outcome" => outcome).increment(1);
}

/// The compiled module, from the cache or from the database.
pub(super) async fn rules(cx: &Cx, hash: RulesHash) -> Result<RulesModule, Error> {
    if let Some(rules) = cx.rules.get(&hash) {
        return Ok(rules);
    }
    let mut conn = cx.db.acquire().await?;
    let module = store::rules::find(&mut conn, hash).await?;
    drop(conn);
    let module = module.with_context(|| format!("there are no rules {hash}"))?;
    let rules = cx.replays.compile(module).await?.with_context(|| format!("rules {hash}"))?;
    cx.rules.insert(hash, rules.clone());
    Ok(rules)
}
