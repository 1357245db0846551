//! Expiring payments that have no evidence in time. The expiry depends on the clock alone, not on
//! how fast Daraja replies.

use std::time::Duration;

use mesh::{entry_span, jobs::Round, telemetry};
use tracing::{Instrument, info, warn};

use crate::{
    app::{Cx, payment_changed::publish_payment_ended},
    domain::{PaymentId, State},
    error::Error,
    store,
};

/// The cause of the state change.
const CAUSE: &str = "no evidence in time";
/// Maximum payments per round.
const BATCH: i64 = 100;
/// Time for the reply to the query that is sent when a payment reaches its expiry.
const LAST_QUERY: Duration = Duration::from_secs(15);

/// Expires open payments that are too old. Evidence that comes later still counts.
pub(crate) async fn expire(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let before = now - cx.payment_expiry - LAST_QUERY;
    let cards_before = now - cx.card_expiry - LAST_QUERY;
    let mut conn = cx.db.acquire().await?;
    let overdue = store::payment::overdue(&mut conn, before, cards_before, BATCH).await?;
    drop(conn);
    let mut more = i64::try_from(overdue.len()).is_ok_and(|found| found == BATCH);
    for payment in overdue {
        let span = entry_span!(parent: None, "wallet.expire", payment.id = %payment.id);
        telemetry::continue_from(&span, payment.traceparent.as_deref());
        let expired = async {
            telemetry::observe(expire_payment(cx, payment.id))
                .await
                .inspect_err(|error| warn!(%error, "cannot expire a payment"))
        };
        // A payment that fails must not hold up the others; the next round tries it again.
        more &= expired.instrument(span).await.is_ok();
    }
    Ok(if more { Round::More } else { Round::Done })
}

async fn expire_payment(cx: &Cx, id: PaymentId) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state.is_final() {
        return Ok(());
    }
    let now = cx.clock.now();
    store::payment::advance(&mut tx, &payment, State::Expired, CAUSE, now).await?;
    tx.commit().await?;
    publish_payment_ended(cx, &payment.ended(State::Expired, CAUSE, now));
    info!("the payment expired");
    Ok(())
}
