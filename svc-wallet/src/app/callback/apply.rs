//! Applying stored callbacks, by outbox deliveries: each callback is applied once, and again if the
//! process dies meanwhile. `payin`, `payout` and `reversal` apply theirs in `callback.rs`, and
//! `compare_balance` its own.

use mesh::{instrument, outbox::Delivery};
use metrics::counter;
use uuid::Uuid;

use crate::{
    app::{Cx, inbox::CallbackOutcome, operations::compare_balance, payin, payout, reversal},
    domain::CallbackKind,
    error::Error,
    store::{self, callback::StoredCallback},
};

/// The outbox topic of callbacks to apply.
pub(crate) const CALLBACK_TOPIC: &str = "callback.apply";

/// Applies a callback, and stores its outcome. The delivery is put off while the provider can
/// neither confirm nor deny the callback.
#[instrument(name = "wallet.apply_callback", skip_all, fields(callback.id = %id, payment.id))]
pub(crate) async fn apply_callback(cx: &Cx, id: Uuid) -> Result<Delivery, Error> {
    let mut conn = cx.db.acquire().await?;
    let Some(stored) = store::callback::find_open(&mut conn, id).await? else {
        return Ok(Delivery::Done);
    };
    drop(conn);
    let outcome = match stored.kind {
        kind @ (CallbackKind::Airtime | CallbackKind::Paystack) => {
            return Err(anyhow::anyhow!("a callback of {kind:?} has another topic").into());
        }
        CallbackKind::MpesaStk => payin::callback::apply(cx, &stored).await?,
        CallbackKind::MpesaB2c => payout::callback::apply(cx, &stored).await?,
        CallbackKind::MpesaReversal => apply_to_reversal_or_payout(cx, &stored).await?,
        CallbackKind::MpesaTimeout | CallbackKind::MpesaStatus => {
            match compare_balance::apply(cx, &stored).await? {
                Some(outcome) => outcome,
                None => apply_to_reversal_or_payout(cx, &stored).await?,
            }
        }
    };
    Ok(match outcome {
        CallbackOutcome::Closed(outcome) => {
            counter!("callbacks_total", "outcome" => outcome).increment(1);
            Delivery::Done
        }
        CallbackOutcome::Later(pause) => Delivery::Later(pause),
    })
}

async fn apply_to_reversal_or_payout(
    cx: &Cx,
    stored: &StoredCallback,
) -> Result<CallbackOutcome, Error> {
    match reversal::callback::apply(cx, stored).await? {
        Some(outcome) => Ok(outcome),
        None => payout::callback::apply(cx, stored).await,
    }
}
