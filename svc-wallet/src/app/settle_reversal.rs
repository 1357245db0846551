//! The one place where a reversal ends, wherever the evidence comes from: a result, a status
//! query, Daraja's reply or an operator. It holds the locks of the payment and the reversal, in
//! this order, so repeated and concurrent evidence ends the reversal once.

use anyhow::Context as _;
use mesh::instrument;
use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, info};

use super::{Cx, payment_changed::publish_payment_changed, settle::post_once};
use crate::{
    domain::{
        Entry, HouseAccount, JournalKind, MpesaReversal, MpesaReversalId, Payment, PaymentId,
        ReversalCase, ReversalDecision, ReversalEvent, ReversalSource, ReversalState, Side,
    },
    error::Error,
    store,
};

/// M-Pesa's code for a receipt that was reversed before.
const ALREADY_REVERSED: &str = "R000001";

/// What was said about a reversal, and by which code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) event: ReversalEvent,
    pub(super) code: &'a str,
    /// M-Pesa's receipt of the reversal.
    pub(super) receipt: Option<&'a str>,
}

impl<'a> Said<'a> {
    pub(super) const fn new(event: ReversalEvent, code: &'a str) -> Self {
        Self { event, code, receipt: None }
    }
}

/// The account of a source; none of money that was never in the ledger.
pub(super) fn side(payment: &Payment, source: ReversalSource, detail: &str) -> Option<Side> {
    match source {
        ReversalSource::Wallet => {
            Some(Side::Wallet { player: payment.beneficiary, detail: Some(detail.to_owned()) })
        }
        ReversalSource::Suspense => Some(Side::House(HouseAccount::Suspense)),
        ReversalSource::SecondReceipt => None,
    }
}

/// Applies what was said about a reversal.
#[instrument(name = "wallet.settle_reversal", skip_all, fields(reversal.id = %id, decision))]
pub(super) async fn settle_reversal(
    cx: &Cx,
    id: MpesaReversalId,
    said: Said<'_>,
) -> Result<ReversalDecision, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let (decision, payment) = settle_reversal_in(&mut tx, cx, id, said, now).await?;
    tx.commit().await?;
    count(decision, said.code);
    if decision == ReversalDecision::GiveBack {
        publish_payment_changed(cx, payment);
    }
    Ok(decision)
}

/// The same in the caller's transaction; returns the payment too.
pub(super) async fn settle_reversal_in(
    conn: &mut PgConnection,
    cx: &Cx,
    id: MpesaReversalId,
    said: Said<'_>,
    now: OffsetDateTime,
) -> Result<(ReversalDecision, PaymentId), Error> {
    let payment = store::mpesa_reversal::payment(conn, id).await?.context("no such reversal")?;
    let payment = store::payment::lock(conn, payment).await?;
    let reversal = store::mpesa_reversal::lock(conn, id).await?.context("the reversal is gone")?;
    let decision = reversal.decide(said.event);
    tracing::Span::current().record("decision", tracing::field::debug(decision));
    let end = (said.code, said.receipt);
    match decision {
        ReversalDecision::Move(state) => {
            store::mpesa_reversal::advance(conn, id, state, now).await?;
        }
        ReversalDecision::Succeed => {
            if said.code == ALREADY_REVERSED && reversal.attempts <= 1 {
                error!("M-Pesa had reversed a receipt before we asked for it, by another way");
            }
            store::mpesa_reversal::end(conn, id, ReversalState::Succeeded, end, now).await?;
        }
        ReversalDecision::GiveBack => {
            error!(code = said.code, "a reversal failed; its money is where it was before");
            store::mpesa_reversal::end(conn, id, ReversalState::Failed, end, now).await?;
            give_back(conn, cx, &reversal, &payment, now).await?;
        }
        ReversalDecision::OtherAmount { reversed } => {
            error!(expected = %reversal.amount, %reversed, "M-Pesa reversed another amount");
            store::mpesa_reversal::open_case(conn, id, ReversalCase::OtherAmount, now).await?;
        }
        ReversalDecision::ReversedAfterFailure => {
            error!("M-Pesa reversed a receipt after its money had been returned");
            let case = ReversalCase::ReversedAfterFailure;
            store::mpesa_reversal::open_case(conn, id, case, now).await?;
        }
        ReversalDecision::NoChange => info!(state = ?reversal.state, "nothing new of a reversal"),
    }
    Ok((decision, payment.id))
}

/// Returns the money to where it was. Last, because it locks the wallet's row.
async fn give_back(
    conn: &mut PgConnection,
    cx: &Cx,
    reversal: &MpesaReversal,
    payment: &Payment,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let Some(to) = side(payment, reversal.source, "Refund to M-Pesa failed") else {
        return Ok(store::second_receipt::reopen(conn, &reversal.receipt).await?);
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
        ReversalDecision::Move(_) | ReversalDecision::NoChange => return,
    };
    counter!("mpesa_reversals_ended_total", "outcome" => outcome).increment(1);
}
