//! Pausing and resuming payouts. The transactions that claim a payout, a reversal or a refund read
//! the pause.

use mesh::{auth::Operator, instrument};
use sqlx::PgConnection;
use tracing::warn;
use types::uuid::Uuid;

use crate::{
    app::Cx,
    domain::{PayoutPause, Resume, check_reason},
    error::{Error, Refused},
    store::{self, operation::Audited},
};

/// Returns whether payouts are paused, and why.
#[instrument(name = "wallet.get_payout_pause", skip_all)]
pub(crate) async fn get_payout_pause(cx: &Cx) -> Result<PayoutPause, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::payout_pause::read(&mut conn).await?)
}

/// Pauses payouts. The reason of a later pause replaces that of an earlier one.
#[instrument(name = "wallet.pause_payouts", skip_all)]
pub(crate) async fn pause_payouts(
    cx: &Cx,
    operator: &Operator,
    reason: &str,
) -> Result<PayoutPause, Error> {
    check_reason("reason", reason).map_err(Refused::from)?;
    let mut tx = cx.db.begin().await?;
    store::payout_pause::lock(&mut tx).await?;
    store::payout_pause::begin(&mut tx, operator.name(), reason, cx.clock.now()).await?;
    audit(&mut tx, cx, operator, "PAUSED", reason).await?;
    let pause = store::payout_pause::read(&mut tx).await?;
    tx.commit().await?;
    warn!(operator = operator.name(), "an operator paused payouts");
    Ok(pause)
}

/// Resumes payouts, once two operators request it.
#[instrument(name = "wallet.resume_payouts", skip_all)]
pub(crate) async fn resume_payouts(
    cx: &Cx,
    operator: &Operator,
    reason: &str,
) -> Result<PayoutPause, Error> {
    check_reason("reason", reason).map_err(Refused::from)?;
    let (by, now) = (operator.name(), cx.clock.now());
    let mut tx = cx.db.begin().await?;
    store::payout_pause::lock(&mut tx).await?;
    let pause = store::payout_pause::read(&mut tx).await?;
    let action = match pause.resume(by).map_err(Refused::from)? {
        Resume::NotPaused => return Ok(pause),
        Resume::Requested => {
            store::payout_pause::request_to_resume(&mut tx, by, pause.timeline).await?;
            "RESUME_REQUESTED"
        }
        Resume::Done => {
            store::payout_pause::resume(&mut tx, pause.timeline, now).await?;
            "RESUMED"
        }
    };
    audit(&mut tx, cx, operator, action, reason).await?;
    let pause = store::payout_pause::read(&mut tx).await?;
    tx.commit().await?;
    Ok(pause)
}

async fn audit(
    conn: &mut PgConnection,
    cx: &Cx,
    operator: &Operator,
    action: &'static str,
    reason: &str,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let audited = Audited {
        id: cx.rng.uuid_v7(now),
        subject: Uuid::nil(),
        payment: None,
        operator: operator.name(),
        action,
        reason,
        at: now,
    };
    Ok(store::operation::audit(conn, audited).await?)
}
