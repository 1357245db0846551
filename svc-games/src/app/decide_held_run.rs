//! Decides on a held run.

use mesh::{auth::Operator, content::PROPOSED_FOR, instrument};
use tracing::info;
use types::Change;

use super::record_score::{self, CountedBy, SCORE_TOPIC};
use crate::{
    app::Cx,
    domain::{Decision, PlaySessionId, Trust},
    error::{Error, Refused},
    store::{self, held_run::Decided},
};

/// Writes an operator's decision with its reason. A released run counts as a proven one, at
/// the time at which it was submitted; in a tournament the relay records it. Where much cash depends
/// on the game, the release of the first operator is a proposal, and is refused with
/// [`Refused::NeedsSecondOperator`].
#[instrument(name = "games.decide_held_run", skip_all, fields(session.id = %session, %decision))]
pub(crate) async fn decide_held_run(
    cx: &Cx,
    operator: &Operator,
    session: PlaySessionId,
    decision: Decision,
    reason: &str,
) -> Result<Change, Error> {
    let needs_second_operator =
        decision == Decision::Released && needs_second_operator(cx, session).await?;
    let decided = Decided { decision, operator: operator.name(), reason, at: cx.clock.now() };
    let mut tx = cx.db.begin().await?;
    let proposed_after = decided.at - PROPOSED_FOR;
    if needs_second_operator
        && store::held_run::propose_release(&mut tx, session, &decided, proposed_after).await?
    {
        tx.commit().await?;
        return Err(Refused::NeedsSecondOperator.into());
    }
    let Some(run) = store::held_run::decide(&mut tx, session, &decided).await? else {
        return match store::held_run::decision(&mut tx, session).await? {
            None => Err(Refused::RunNotFound.into()),
            Some(before) if before == decision => Ok(Change::Unchanged),
            Some(_) => Err(Refused::RunDecided.into()),
        };
    };
    if decision == Decision::Released {
        store::session::release(&mut tx, session).await?;
        record_score::count(&mut tx, &run, Trust::Proven, CountedBy::Operator(decided.at)).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(SCORE_TOPIC);
    info!(operator = operator.name(), %session, %decision, "decided on a held run");
    Ok(Change::Updated)
}

/// Whether much cash depends on the game of an undecided run in a tournament.
async fn needs_second_operator(cx: &Cx, session: PlaySessionId) -> Result<bool, Error> {
    let game = store::held_run::game_in_tournament(&mut *cx.db.acquire().await?, session).await?;
    match game {
        Some(game) => cx.tournaments.needs_second_operator(game).await,
        None => Ok(false),
    }
}
