//! Giving M-Pesa payments back by Daraja's reversal. The money leaves the wallet, or suspense,
//! first, so that it cannot be spent meanwhile; where M-Pesa refuses, a journal of its own
//! returns it.
//!
//! Here is the one place where a reversal ends, wherever the evidence comes from: a result, a
//! status query, Daraja's reply or an operator. It holds the locks of the payment and the
//! reversal, in this order, so repeated and concurrent evidence ends the reversal once.

use anyhow::Context as _;
use mesh::{db, instrument, telemetry};
use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, info};
use types::{Money, uuid::Uuid};

use super::{
    Cx, payment_changed::publish_payment_changed, send_reversal::put_reversal, settle::post_once,
};
use crate::{
    domain::{
        Entry, HouseAccount, InvalidOperation, JournalId, JournalKind, MpesaReversal,
        MpesaReversalId, NewReversal, Payment, PaymentId, Posted, ReversalCase, ReversalDecision,
        ReversalEvent, ReversalSource, ReversalState, Side,
    },
    error::{Error, Refused},
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

/// Takes what is given back out of where it is, and has M-Pesa reverse its receipt; returns
/// the journal, unless the money was never in the ledger. The caller holds the payment's lock,
/// and notifies [`super::REVERSAL_TOPIC`] after the commit.
pub(super) async fn order_reversal(
    conn: &mut PgConnection,
    cx: &Cx,
    id: MpesaReversalId,
    (payment, amount): (&Payment, Money),
    new: NewReversal,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, Error> {
    let reversal = MpesaReversal {
        id,
        payment: payment.id,
        receipt: new.receipt,
        amount,
        source: new.source,
        state: ReversalState::Created,
        attempts: 0,
        submitted_at: None,
        queries: 0,
        leased_until: None,
        traceparent: telemetry::traceparent(),
    };
    let journal = match side(payment, new.source, "Refund to M-Pesa") {
        None => None,
        Some(from) => Some(take(conn, cx, (&reversal, from), new.reverses, now).await?),
    };
    match store::mpesa_reversal::insert(conn, &reversal, now).await {
        Err(error) if db::violated(&error) == Some("mpesa_reversal_once") => {
            let problem = format!("has receipt {}, which is reversed already", reversal.receipt);
            return Err(Refused::from(InvalidOperation::new("payment_id", problem)).into());
        }
        stored => stored?,
    }
    put_reversal(conn, cx, id, now).await?;
    Ok(journal)
}

/// Takes the money out. The wallet must cover it.
async fn take(
    conn: &mut PgConnection,
    cx: &Cx,
    (reversal, from): (&MpesaReversal, Side),
    reverses: Option<JournalId>,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let (reference, to) = (reversal.id.uuid(), Side::House(HouseAccount::MpesaUtility));
    let entry =
        Entry { reverses, ..Entry::new(JournalKind::Refund, reference, from, to, reversal.amount) };
    let journal = cx.rng.uuid_v7(now);
    match store::ledger::post(conn, journal, now, &entry).await? {
        Posted::Done => Ok(journal),
        Posted::InsufficientFunds => Err(Refused::InsufficientFunds.into()),
        Posted::Repeated => Err(anyhow::anyhow!("the reversal was posted before").into()),
    }
}

/// The account of a source; none of money that was never in the ledger.
fn side(payment: &Payment, source: ReversalSource, detail: &str) -> Option<Side> {
    match source {
        ReversalSource::Wallet => {
            Some(Side::Wallet { player: payment.beneficiary, detail: Some(detail.to_owned()) })
        }
        ReversalSource::Suspense => Some(Side::House(HouseAccount::Suspense)),
        ReversalSource::SecondReceipt => None,
    }
}

/// Has a reversal whose outcome is unknown sent again, for an operator. The caller notifies
/// [`super::REVERSAL_TOPIC`] after the commit.
pub(super) async fn resend_reversal(
    conn: &mut PgConnection,
    cx: &Cx,
    id: MpesaReversalId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let said = Said::new(ReversalEvent::Resent, "OPERATOR");
    match settle_reversal_in(conn, cx, id, said, now).await?.0 {
        ReversalDecision::Move(_) => put_reversal(conn, cx, id, now).await,
        _ => Err(changed().into()),
    }
}

/// Ends a reversal whose outcome is unknown, for an operator.
pub(super) async fn end_reversal(
    conn: &mut PgConnection,
    cx: &Cx,
    id: MpesaReversalId,
    receipt: Option<&str>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let event = match receipt {
        Some(_) => ReversalEvent::Reversed { amount: None },
        None => ReversalEvent::Released,
    };
    let said = Said { event, code: "OPERATOR", receipt };
    match settle_reversal_in(conn, cx, id, said, now).await?.0 {
        ReversalDecision::Succeed | ReversalDecision::GiveBack => Ok(()),
        _ => Err(changed().into()),
    }
}

/// M-Pesa answered between the plan and here.
fn changed() -> Refused {
    InvalidOperation::new("payment_id", "has a reversal that went on meanwhile").into()
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
async fn settle_reversal_in(
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
