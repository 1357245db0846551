//! Ending the wait of players whose payment nobody speaks of. It hangs on the clock
//! alone, not on how fast Daraja answers.

use std::time::Duration;

use mesh::telemetry;
use tracing::{Instrument, info, info_span, warn};

use super::{Cx, tell_watchers};
use crate::{
    domain::{PaymentId, State},
    error::Error,
    store,
};

/// Payments looked at in one round.
const STEP: i64 = 100;
/// How long the question that is asked at the last moment may take.
const LAST_WORD: Duration = Duration::from_secs(15);

/// Stops the waiting for payments that are too old; true when there may be more.
/// What Daraja says of them later still counts.
pub async fn expire(cx: &Cx) -> Result<bool, Error> {
    let before = cx.clock.now() - cx.payment_expiry - LAST_WORD;
    let mut conn = cx.pool.acquire().await?;
    let overdue = store::payment::overdue(&mut conn, before, STEP).await?;
    drop(conn);
    let mut more = i64::try_from(overdue.len()).is_ok_and(|found| found == STEP);
    for payment in overdue {
        let span = info_span!(parent: None, "wallet.expire", payment.id = %payment.id);
        telemetry::continue_from(&span, payment.traceparent.as_deref());
        let expired = async {
            give_up(cx, payment.id).await.inspect_err(|error| warn!(%error, "not expired"))
        };
        // One that cannot be given up holds up no other; it is tried at the next look.
        more &= expired.instrument(span).await.is_ok();
    }
    Ok(more)
}

async fn give_up(cx: &Cx, id: PaymentId) -> Result<(), Error> {
    let mut tx = cx.pool.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state.is_final() {
        return Ok(());
    }
    let now = cx.clock.now();
    store::payment::advance(&mut tx, &payment, State::Expired, "no news", now).await?;
    tell_watchers(&mut tx, cx, id).await?;
    tx.commit().await?;
    cx.outbox.notify();
    info!("nobody said anything for long enough; expired");
    Ok(())
}
