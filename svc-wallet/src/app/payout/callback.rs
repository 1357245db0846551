//! Daraja's calls about payouts: results, results of status queries, and time-outs in its queue.
//!
//! A call that cannot be applied may still mean that the outcome is known, so Daraja is queried
//! about its payout soon.

use mesh::{db, entry_span, telemetry};
use metrics::gauge;
use sqlx::PgConnection;
use tracing::{Instrument, error, warn};

use crate::{
    app::{
        Cx,
        inbox::{APPLIED, CallbackOutcome, close},
        payin::settle::{CALLBACK, CONFIRM_AFTER, Settled},
        payout::settle::settle_payout,
    },
    clients::daraja::{Report, parse_payout_result, parse_status_result},
    domain::{CallbackKind, PaymentId},
    error::Error,
    store::{
        self,
        b2c_payout::{Payout, Purpose},
        callback::StoredCallback,
    },
};

/// The payment whose payout, or a query about it, has this secret.
pub(crate) async fn payment_of(
    conn: &mut PgConnection,
    secret_hash: &[u8],
    kind: CallbackKind,
) -> Result<Option<PaymentId>, Error> {
    let found = store::b2c_payout::find_by_secret(conn, secret_hash).await?;
    Ok(found.filter(|(_, purpose)| fits(*purpose, kind)).map(|(payout, _)| payout.payment))
}

/// Whether Daraja uses secrets of this purpose for this kind of call.
const fn fits(purpose: Purpose, kind: CallbackKind) -> bool {
    match kind {
        CallbackKind::MpesaB2c => matches!(purpose, Purpose::Payout),
        CallbackKind::MpesaStatus => matches!(purpose, Purpose::Query),
        CallbackKind::MpesaTimeout => true,
        CallbackKind::MpesaStk
        | CallbackKind::MpesaReversal
        | CallbackKind::Airtime
        | CallbackKind::Paystack => false,
    }
}

/// Applies a call to its withdrawal.
pub(crate) async fn apply(cx: &Cx, stored: &StoredCallback) -> Result<CallbackOutcome, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::b2c_payout::find_by_secret(&mut conn, &stored.secret_hash).await?;
    drop(conn);
    let (outcome, query) = match &found {
        // An answer to a query of the balance ends here when its row is gone, or when the release
        // before this one applies it. `store_callback` stores no other unknown secret.
        None => ("unknown secret", false),
        Some((payout, purpose)) => {
            tracing::Span::current().record("payment.id", payout.payment.to_string());
            // The span continues the trace of the withdrawal, with a link to the callback's trace.
            let span =
                entry_span!(parent: None, "wallet.settle_callback", payment.id = %payout.payment);
            telemetry::continue_linked(&span, payout.traceparent.as_deref());
            let outcome = telemetry::observe(apply_to(cx, stored, payout)).instrument(span).await?;
            // Only an unapplied call about the payout itself brings the next query forward; after
            // one about a query, the schedule goes on.
            (outcome, outcome != APPLIED && *purpose == Purpose::Payout)
        }
    };
    let mut tx = cx.db.begin().await?;
    if let Some((payout, _)) = found.filter(|_| query) {
        let at = cx.clock.now() + CONFIRM_AFTER;
        store::b2c_payout::query_by(&mut tx, payout.payment, at).await?;
    }
    close(&mut tx, stored, outcome).await?;
    tx.commit().await?;
    Ok(CallbackOutcome::Closed(outcome))
}

async fn apply_to(
    cx: &Cx,
    stored: &StoredCallback,
    payout: &Payout,
) -> Result<&'static str, Error> {
    let (report, cause) = match stored.kind {
        CallbackKind::MpesaTimeout => {
            warn!("a payout or a query waited too long in Daraja's queue; its outcome is unknown");
            return Ok("timed out");
        }
        CallbackKind::MpesaStatus => (parse_status_result(&stored.body), "query"),
        _ => (parse_payout_result(&stored.body), CALLBACK),
    };
    let Ok(report) = report else {
        error!("cannot parse what Daraja called about a payout; callback_inbox has it");
        return Ok("unreadable");
    };
    if let Some(problem) = mismatch(cx, payout, &report).await? {
        error!(problem, "Daraja's call is not about this payout");
        return Ok(problem);
    }
    if let Some(float) = report.float {
        gauge!("mpesa_utility_float_kes").set(whole_kes(float));
        // Store the float, so that every replica measures it, whichever received the result.
        let mut conn = cx.db.acquire().await?;
        store::daily_job::set_float(&mut conn, "MPESA", float, stored.received_at).await?;
    }
    let Some(evidence) = &report.evidence else { return Ok("outcome unknown") };
    Ok(match settle_payout(cx, payout.payment, evidence, cause).await? {
        Settled::Applied => APPLIED,
        Settled::ReceiptUsed => "receipt already used",
        Settled::SecondReceipt => "second receipt",
        Settled::OtherAmount => "another amount",
    })
}

/// Returns what in a report contradicts its payout; `None` if nothing does. Where Daraja's reply to
/// the payout was lost, stores Daraja's id from the report.
async fn mismatch(
    cx: &Cx,
    payout: &Payout,
    report: &Report,
) -> Result<Option<&'static str>, Error> {
    let originator = report.originator_conversation_id.as_deref();
    if originator.is_some_and(|id| PaymentId::parse(id).ok() != Some(payout.payment)) {
        return Ok(Some("another payout"));
    }
    if report.phone.as_ref().is_some_and(|phone| phone.digits() != payout.msisdn) {
        return Ok(Some("another phone"));
    }
    match (&payout.conversation_id, &report.conversation_id) {
        (Some(known), Some(reported)) if known != reported => Ok(Some("another conversation")),
        (None, Some(reported)) => {
            let mut conn = cx.db.acquire().await?;
            let stored =
                store::b2c_payout::set_conversation(&mut conn, payout.payment, reported).await;
            match stored {
                Ok(stored) if stored.as_deref() == Some(reported) => Ok(None),
                Ok(_) => Ok(Some("another conversation")),
                Err(error) if db::violated(&error) == Some("b2c_payout_conversation") => {
                    Ok(Some("another conversation"))
                }
                Err(error) => Err(error.into()),
            }
        }
        _ => Ok(None),
    }
}

/// Returns an amount as a float, for a gauge.
#[expect(clippy::cast_precision_loss, reason = "a balance at M-Pesa is far below 2^53")]
fn whole_kes(amount: types::Money) -> f64 {
    (amount.cents() / 100) as f64
}
