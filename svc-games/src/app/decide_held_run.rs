//! Decides on a held run.

use mesh::{auth::Operator, instrument};
use tracing::info;
use types::Change;

use super::record_score::{self, FirstCall, SCORE_TOPIC};
use crate::{
    app::Cx,
    domain::{Decision, PlaySessionId, Trust},
    error::{Error, Refused},
    store::{self, held_run::Decided},
};

/// Writes an operator's decision with its reason. A released run counts as a proven one, at
/// the time at which it was submitted; in a tournament the relay records it.
#[instrument(name = "games.decide_held_run", skip_all, fields(session.id = %session, %decision))]
pub(crate) async fn decide_held_run(
    cx: &Cx,
    operator: &Operator,
    session: PlaySessionId,
    decision: Decision,
    reason: &str,
) -> Result<Change, Error> {
    let decided = Decided { decision, operator: operator.name(), reason, at: cx.clock.now() };
    let mut tx = cx.db.begin().await?;
    let Some(run) = store::held_run::decide(&mut tx, session, &decided).await? else {
        return match store::held_run::decision(&mut tx, session).await? {
            None => Err(Refused::RunNotFound.into()),
            Some(before) if before == decision => Ok(Change::Unchanged),
            Some(_) => Err(Refused::RunDecided.into()),
        };
    };
    if decision == Decision::Released {
        store::session::release(&mut tx, session).await?;
        record_score::count(&mut tx, &run, Trust::Proven, FirstCall::Relay).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(SCORE_TOPIC);
    info!(operator = operator.name(), %session, %decision, "decided on a held run");
    Ok(Change::Updated)
}
