//! Ends reversals, for every source of evidence: a result, a status query, Daraja's reply or an
//! operator. It holds the locks of the payment and the reversal, in this order, so repeated and
//! concurrent evidence ends the reversal once.

use anyhow::Context as _;
use mesh::instrument;
use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, info};

use crate::{
    app::{Cx, ledger::post::post_once, payment_changed::publish_payment_changed},
    domain::{
        Entry, HouseAccount, JournalKind, MpesaReversal, MpesaReversalId, Payment, PaymentId,
        ReversalCase, ReversalDecision, ReversalEvent, ReversalSource, ReversalState, Side,
        stored_detail,
    },
    error::Error,
    store,
};

/// M-Pesa's code for a receipt that was reversed before.
const ALREADY_REVERSED: &str = "R000001";

/// An event of a reversal, with the provider's code and M-Pesa's receipt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReversalEvidence<'a> {
    pub(crate) event: ReversalEvent,
    pub(crate) code: &'a str,
    /// M-Pesa's receipt of the reversal.
    pub(crate) receipt: Option<&'a str>,
}

impl<'a> ReversalEvidence<'a> {
    pub(crate) const fn new(event: ReversalEvent, code: &'a str) -> Self {
        Self { event, code, receipt: None }
    }
}

/// Returns the account of a reversal's source; `None` for money that was never in the ledger.
pub(crate) fn side(payment: &Payment, source: ReversalSource, detail: &str) -> Option<Side> {
    match source {
        ReversalSource::Wallet => {
            Some(Side::Wallet { player: payment.beneficiary, detail: Some(detail.to_owned()) })
        }
        ReversalSource::Suspense => Some(Side::House(HouseAccount::Suspense)),
        ReversalSource::SecondReceipt => None,
    }
}

/// Applies evidence about a reversal.
#[instrument(name = "wallet.settle_reversal", skip_all, fields(reversal.id = %id, decision))]
pub(crate) async fn settle_reversal(
    cx: &Cx,
    id: MpesaReversalId,
    evidence: ReversalEvidence<'_>,
) -> Result<ReversalDecision, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let (decision, payment) = settle_reversal_in(&mut tx, cx, id, evidence, now).await?;
    tx.commit().await?;
    count(decision, evidence.code);
    if decision == ReversalDecision::GiveBack {
        publish_payment_changed(cx, payment);
    }
    Ok(decision)
}

/// Like [`settle_reversal`], in the caller's transaction; returns the payment too.
pub(crate) async fn settle_reversal_in(
    conn: &mut PgConnection,
    cx: &Cx,
    id: MpesaReversalId,
    evidence: ReversalEvidence<'_>,
    now: OffsetDateTime,
) -> Result<(ReversalDecision, PaymentId), Error> {
    let payment = store::mpesa_reversal::payment(conn, id).await?.context("no such reversal")?;
    let payment = store::payment::lock(conn, payment).await?;
    let reversal = store::mpesa_reversal::lock(conn, id).await?.context("the reversal is gone")?;
    let event = event(conn, &reversal, evidence).await?;
    let mut decision = reversal.decide(event);
    tracing::Span::current().record("decision", <&str>::from(decision));
    let end = (evidence.code, evidence.receipt);
    match decision {
        ReversalDecision::Move(state) => {
            store::mpesa_reversal::advance(conn, id, state, now).await?;
            if event == ReversalEvent::Resent {
                store::mpesa_reversal::set_resent(conn, id, now).await?;
            }
        }
        ReversalDecision::Succeed => {
            if evidence.code == ALREADY_REVERSED && reversal.attempts <= 1 {
                error!("M-Pesa had reversed a receipt before we asked for it, by another way");
            }
            store::mpesa_reversal::end(conn, id, ReversalState::Succeeded, end, now).await?;
        }
        ReversalDecision::GiveBack => {
            error!(code = evidence.code, "a reversal failed; its money is where it was before");
            store::mpesa_reversal::end(conn, id, ReversalState::Failed, end, now).await?;
            give_back(conn, cx, &reversal, &payment, now).await?;
        }
        ReversalDecision::OtherAmount { reversed } => {
            error!(expected = %reversal.amount, %reversed, "M-Pesa reversed another amount");
            leave_to_operators(conn, id, ReversalCase::OtherAmount, now).await?;
        }
        ReversalDecision::ReceiptUsed => {
            error!("a reversal's receipt is another one's");
            leave_to_operators(conn, id, ReversalCase::Unknown, now).await?;
        }
        ReversalDecision::ReversedAfterFailure => {
            decision = reversed_late(conn, &reversal, (event, end), now).await?;
        }
        ReversalDecision::NoChange => info!(state = ?reversal.state, "nothing new of a reversal"),
    }
    Ok((decision, payment.id))
}

/// Returns the event of the evidence. A receipt that ended another reversal is no evidence of this
/// one.
async fn event(
    conn: &mut PgConnection,
    reversal: &MpesaReversal,
    evidence: ReversalEvidence<'_>,
) -> Result<ReversalEvent, Error> {
    let Some(receipt) = evidence.receipt else { return Ok(evidence.event) };
    let is_used = store::mpesa_reversal::is_receipt_of_another(conn, reversal.id, receipt).await?;
    Ok(if is_used { ReversalEvent::ReceiptUsed } else { evidence.event })
}

/// Sets the reversal to UNKNOWN, and opens a case: only an operator can decide it.
async fn leave_to_operators(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    case: ReversalCase,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::mpesa_reversal::advance(conn, id, ReversalState::Unknown, now).await?;
    Ok(store::mpesa_reversal::open_case(conn, id, case, now).await?)
}

/// Handles a reversal that M-Pesa carried out after its money had been returned. If the money is
/// that of a second receipt that was not credited meanwhile, the reversal has succeeded: no
/// wallet has the money. Otherwise opens a case.
async fn reversed_late(
    conn: &mut PgConnection,
    reversal: &MpesaReversal,
    (event, end): (ReversalEvent, (&str, Option<&str>)),
    now: OffsetDateTime,
) -> Result<ReversalDecision, Error> {
    let (id, operation) = (reversal.id, reversal.id.uuid().into());
    let whole = [None, Some(reversal.amount)];
    let is_whole = whole.into_iter().any(|amount| event == ReversalEvent::Reversed { amount });
    if is_whole
        && reversal.source == ReversalSource::SecondReceipt
        && store::second_receipt::close_late(conn, &reversal.receipt, operation).await?
    {
        store::mpesa_reversal::end(conn, id, ReversalState::Succeeded, end, now).await?;
        return Ok(ReversalDecision::Succeed);
    }
    error!("M-Pesa reversed a receipt after its money had been returned");
    store::mpesa_reversal::open_case(conn, id, ReversalCase::ReversedAfterFailure, now).await?;
    Ok(ReversalDecision::ReversedAfterFailure)
}

/// Returns the money to where it was. Call it last, because it locks the wallet's row.
async fn give_back(
    conn: &mut PgConnection,
    cx: &Cx,
    reversal: &MpesaReversal,
    payment: &Payment,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let Some(to) = side(payment, reversal.source, stored_detail::MPESA_REFUND_FAILED) else {
        let operation = reversal.id.uuid().into();
        return Ok(store::second_receipt::reopen(conn, &reversal.receipt, operation).await?);
    };
    let (reference, from) = (reversal.id.uuid(), Side::House(HouseAccount::MpesaUtility));
    let entry = Entry {
        reverses: store::mpesa_reversal::journal(conn, reversal.id).await?,
        ..Entry::new(JournalKind::Reversal, reference, from, to, reversal.amount)
    };
    post_once(conn, cx, &entry, now).await
}

fn count(decision: ReversalDecision, code: &str) {
    let outcome = match decision {
        ReversalDecision::Succeed if code == ALREADY_REVERSED => "already_reversed",
        ReversalDecision::Succeed => "reversed",
        ReversalDecision::GiveBack => "failed",
        ReversalDecision::ReversedAfterFailure => "reversed_after_failure",
        ReversalDecision::OtherAmount { .. } => "other_amount",
        ReversalDecision::ReceiptUsed => "receipt_used",
        ReversalDecision::Move(_) | ReversalDecision::NoChange => return,
    };
    counter!("mpesa_reversals_ended_total", "outcome" => outcome).increment(1);
}
