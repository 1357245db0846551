//! Daraja's calls about reversals: results, results of status queries, and time-outs in its queue.
//!
//! A call that cannot be applied may still mean that the outcome is known, so Daraja is queried
//! about its reversal soon.

use mesh::{db, entry_span, telemetry};
use sqlx::PgConnection;
use tracing::{Instrument, error, warn};

use crate::{
    app::{
        Cx,
        inbox::{APPLIED, CallbackOutcome, close},
        payin::settle::CONFIRM_AFTER,
        reversal::settle::{ReversalEvidence, settle_reversal},
    },
    clients::daraja::{ReversalReport, parse_reversal_result, parse_reversal_status},
    domain::{CallbackKind, PaymentId, ReversalDecision, ReversalEvent},
    error::Error,
    store::{
        self,
        callback::StoredCallback,
        mpesa_reversal::{Purpose, ReversalOfSecret},
    },
};

/// The payment whose reversal, or a query about it, has this secret.
pub(crate) async fn payment_of(
    conn: &mut PgConnection,
    secret_hash: &[u8],
    kind: CallbackKind,
) -> Result<Option<PaymentId>, Error> {
    let found = store::mpesa_reversal::find_by_secret(conn, secret_hash).await?;
    Ok(found.filter(|found| fits(found.purpose, kind)).map(|found| found.reversal.payment))
}

/// Whether Daraja uses secrets of this purpose for this kind of call.
const fn fits(purpose: Purpose, kind: CallbackKind) -> bool {
    match kind {
        CallbackKind::MpesaReversal => matches!(purpose, Purpose::Reversal),
        CallbackKind::MpesaStatus => matches!(purpose, Purpose::Query),
        CallbackKind::MpesaTimeout => true,
        CallbackKind::MpesaStk
        | CallbackKind::MpesaB2c
        | CallbackKind::Airtime
        | CallbackKind::Paystack => false,
    }
}

/// Applies a call to its reversal; `None` if no reversal has its secret.
pub(crate) async fn apply(
    cx: &Cx,
    stored: &StoredCallback,
) -> Result<Option<CallbackOutcome>, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::mpesa_reversal::find_by_secret(&mut conn, &stored.secret_hash).await?;
    drop(conn);
    let Some(found) = found else { return Ok(None) };
    let reversal = &found.reversal;
    tracing::Span::current().record("payment.id", reversal.payment.to_string());
    // The span continues the trace of the operation, with a link to the callback's trace.
    let span = entry_span!(
        parent: None, "wallet.settle_callback", payment.id = %reversal.payment,
        reversal.id = %reversal.id
    );
    telemetry::continue_linked(&span, reversal.traceparent.as_deref());
    let outcome = telemetry::observe(apply_to(cx, stored, &found)).instrument(span).await?;
    let mut tx = cx.db.begin().await?;
    // Only an unapplied call about the reversal itself brings the next query forward; after one
    // about a query, the schedule goes on.
    if outcome != APPLIED && found.purpose == Purpose::Reversal {
        let at = cx.clock.now() + CONFIRM_AFTER;
        store::mpesa_reversal::query_by(&mut tx, reversal.id, at).await?;
    }
    close(&mut tx, stored, outcome).await?;
    tx.commit().await?;
    Ok(Some(CallbackOutcome::Closed(outcome)))
}

async fn apply_to(
    cx: &Cx,
    stored: &StoredCallback,
    found: &ReversalOfSecret,
) -> Result<&'static str, Error> {
    let report = match stored.kind {
        CallbackKind::MpesaTimeout => {
            warn!("a reversal or a query waited too long in Daraja's queue; it says nothing");
            return Ok("timed out");
        }
        CallbackKind::MpesaStatus => parse_reversal_status(&stored.body),
        _ => parse_reversal_result(&stored.body),
    };
    let Ok(report) = report else {
        error!("cannot parse what Daraja called about a reversal; callback_inbox has it");
        return Ok("unreadable");
    };
    if let Some(problem) = mismatch(cx, found, &report).await? {
        error!(problem, "Daraja's call is not about this reversal");
        return Ok(problem);
    }
    // A receipt that is not reversed yet proves nothing: its reversal may be under way.
    let Some(event) = report.event else { return Ok(APPLIED) };
    // The result of an earlier call matters only if it gave the money back.
    let is_last = found.attempt == found.reversal.attempts;
    if !is_last && !matches!(event, ReversalEvent::Reversed { .. }) {
        return Ok(APPLIED);
    }
    let evidence =
        ReversalEvidence { event, code: &report.code, receipt: report.reversal_receipt.as_deref() };
    let decision = settle_reversal(cx, found.reversal.id, evidence).await?;
    Ok(match (decision, event) {
        (ReversalDecision::OtherAmount { .. }, _) => "another amount",
        (ReversalDecision::ReceiptUsed, _) => "receipt already used",
        (ReversalDecision::ReversedAfterFailure, _) => "reversed after its failure",
        (_, ReversalEvent::Doubtful) => "outcome unknown",
        _ => APPLIED,
    })
}

/// Returns what in a report contradicts its reversal; `None` if nothing does. Where Daraja's reply
/// was lost, stores Daraja's id of the call from the report.
async fn mismatch(
    cx: &Cx,
    found: &ReversalOfSecret,
    report: &ReversalReport,
) -> Result<Option<&'static str>, Error> {
    let ReversalOfSecret { reversal, attempt, .. } = found;
    if report.receipt.as_ref().is_some_and(|receipt| *receipt != reversal.receipt) {
        return Ok(Some("another receipt"));
    }
    let Some(reported) = &report.conversation_id else { return Ok(None) };
    if *attempt != reversal.attempts {
        return Ok(None);
    }
    let mut conn = cx.db.acquire().await?;
    let (id, attempt) = (reversal.id, *attempt);
    match store::mpesa_reversal::set_conversation(&mut conn, id, attempt, reported).await {
        // `None` means that another call was made meanwhile.
        Ok(stored) if stored.as_ref().is_none_or(|stored| stored == reported) => Ok(None),
        Ok(_) => Ok(Some("another conversation")),
        Err(error) if db::violated(&error) == Some("mpesa_reversal_conversation") => {
            Ok(Some("another conversation"))
        }
        Err(error) => Err(error.into()),
    }
}
