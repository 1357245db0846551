//! Ends a play session: proves the score of its run.

use mesh::instrument;
use sha2::{Digest as _, Sha256};
use tracing::Span;

use super::{
    finish_run::finish_run,
    prove::{Claim, prove},
    record_score,
};
use crate::{
    app::Cx,
    domain::{BoardPlace, Inputs, RunOutcome, TournamentScore, Trust},
    error::{Error, Refused},
    proof::Ticket,
    store::{self, session::Claimed},
};

/// What a player submits.
pub(crate) struct SubmittedRun {
    pub(crate) inputs: Inputs,
    pub(crate) points: i32,
    /// Signature of the game's own server; empty in other games.
    pub(crate) signature: Vec<u8>,
}

/// A score that was accepted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score {
    pub(crate) points: i32,
    /// The player's most points in the game, or in the tournament.
    pub(crate) best: i32,
    pub(crate) trust: Trust,
    /// The player's place in the tournament.
    pub(crate) rank: Option<u64>,
}

/// Ends the ticket's session with a run. A repeat gets the first reply, with the present
/// rank: the session is claimed before the replay, and a process that dies in between leaves
/// a claim that the same submission continues.
#[instrument(name = "games.submit_score", skip_all,
    fields(session.id = %ticket.session, player.id, game.id, tournament.id))]
pub(crate) async fn submit_score(
    cx: &Cx,
    ticket: &Ticket,
    run: &SubmittedRun,
) -> Result<Score, Error> {
    let claimed = claim(cx, ticket, run).await?;
    let session = &claimed.session;
    let span = Span::current();
    span.record("player.id", session.player.to_string());
    span.record("game.id", session.game.to_string());
    if let Some(round) = session.tournament {
        span.record("tournament.id", round.tournament.to_string());
    }
    let outcome = match claimed.outcome {
        Some(outcome) => outcome,
        None => finish(cx, &claimed, run).await?,
    };
    match outcome {
        RunOutcome::Scored { points, trust } => {
            let BoardPlace { best, rank } = place(cx, &claimed, points, trust).await?;
            Ok(Score { points, best, trust, rank })
        }
        RunOutcome::Refused(refusal) => Err(Refused::Score(refusal).into()),
    }
}

/// Proves the run and writes its outcome.
async fn finish(cx: &Cx, claimed: &Claimed, run: &SubmittedRun) -> Result<RunOutcome, Error> {
    let claim = Claim {
        session: &claimed.session,
        submitted_at: claimed.submitted_at,
        inputs: &run.inputs,
        points: run.points,
        signature: &run.signature,
    };
    let proven = prove(cx, &claim).await?;
    finish_run(cx, &claim, proven).await
}

async fn claim(cx: &Cx, ticket: &Ticket, run: &SubmittedRun) -> Result<Claimed, Error> {
    let submission = Sha256::new()
        .chain_update(run.points.to_be_bytes())
        .chain_update(run.inputs.bytes())
        .chain_update(&run.signature)
        .finalize()
        .into();
    let mut conn = cx.db.acquire().await?;
    // The clock is read after the connection is acquired, which may take long: a settlement waits
    // only seconds for claims in flight.
    let now = cx.clock.now();
    let claimed =
        store::session::claim(&mut conn, ticket.session, &ticket.hash(), &submission, now).await?;
    Ok(claimed.map_err(Refused::from)?)
}

/// Returns the player's best score including this run, and the rank. A held run does not count.
async fn place(cx: &Cx, claimed: &Claimed, points: i32, trust: Trust) -> Result<BoardPlace, Error> {
    let session = &claimed.session;
    let tournament = session.tournament.map(|round| round.tournament);
    if let Some(tournament) = tournament
        && trust != Trust::Held
    {
        let (player, reached_at) = (session.player, claimed.submitted_at);
        let began_at = reached_at - session.played_for(reached_at);
        let score = TournamentScore {
            tournament,
            player,
            points,
            trust,
            reached_at,
            began_at,
            released_at: None,
        };
        if let Some(place) = record_score::record(cx, session.id, &score).await {
            return Ok(place);
        }
    }
    let mut conn = cx.db.acquire().await?;
    let best = match tournament {
        Some(tournament) => {
            store::tournament_run::points(&mut conn, tournament, session.player).await?
        }
        None => store::best_run::points(&mut conn, session.player, session.game).await?,
    };
    Ok(BoardPlace { best: best.unwrap_or(0), rank: None })
}
