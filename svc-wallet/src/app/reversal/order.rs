//! Reversals of M-Pesa payments by Daraja, as operators order them. The money leaves the wallet, or
//! suspense, first, so that it cannot be spent meanwhile; where M-Pesa refuses, a journal of its
//! own returns it ([`settle_reversal`](crate::app::reversal::settle)).

use mesh::{db, telemetry};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, uuid::Uuid};

use crate::{
    app::{
        Cx,
        ledger::tax::return_duty,
        reversal::{
            send::put_reversal,
            settle::{ReversalEvidence, settle_reversal_in, side},
        },
    },
    domain::{
        Entry, HouseAccount, InvalidOperation, JournalId, JournalKind, MpesaReversal,
        MpesaReversalId, NewReversal, Operation, Payment, Posted, ReversalDecision, ReversalEvent,
        ReversalSource, ReversalState, Side, stored_detail,
    },
    error::{Error, Refused},
    store,
};

/// Takes the money of a reversal out of its source, and writes the outbox row that sends the
/// reversal; returns the journal, unless the money was never in the ledger. The caller holds the
/// payment's lock, and notifies [`crate::app::REVERSAL_TOPIC`] after the commit.
pub(crate) async fn order_reversal(
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
        case: None,
        traceparent: telemetry::traceparent(),
    };
    let journal = match side(payment, new.source, stored_detail::MPESA_REFUND) {
        None => None,
        Some(from) => {
            // A second receipt was credited without duty; its reversal names no journal.
            if new.source == ReversalSource::Wallet && new.reverses.is_some() {
                return_duty(conn, cx, payment, amount, now).await?;
            }
            Some(take(conn, cx, (&reversal, from), new.reverses, now).await?)
        }
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

/// Posts the money from its source to M-Pesa's account. The wallet must cover it.
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

/// Writes the outbox row that sends a reversal whose outcome is unknown again, for an operator. The
/// caller notifies [`crate::app::REVERSAL_TOPIC`] after the commit.
pub(crate) async fn resend_reversal(
    conn: &mut PgConnection,
    cx: &Cx,
    id: MpesaReversalId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let evidence = ReversalEvidence::new(ReversalEvent::Resent, "OPERATOR");
    match settle_reversal_in(conn, cx, id, evidence, now).await?.0 {
        ReversalDecision::Move(_) => put_reversal(conn, cx, id, now).await,
        _ => Err(changed().into()),
    }
}

/// Ends a reversal whose outcome is unknown, for an operator: as carried out with a receipt, else
/// as failed.
pub(crate) async fn end_reversal(
    conn: &mut PgConnection,
    cx: &Cx,
    id: MpesaReversalId,
    receipt: Option<&str>,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let event = match receipt {
        Some(_) => ReversalEvent::Confirmed,
        None => ReversalEvent::Released,
    };
    let evidence = ReversalEvidence { event, code: "OPERATOR", receipt };
    match settle_reversal_in(conn, cx, id, evidence, now).await?.0 {
        ReversalDecision::Succeed | ReversalDecision::GiveBack => Ok(()),
        ReversalDecision::ReceiptUsed => {
            let problem = "is that of another reversal";
            Err(Refused::from(InvalidOperation::new("receipt", problem)).into())
        }
        _ => Err(changed().into()),
    }
}

/// Writes off the loss of a reversal that M-Pesa carried out after its money had been returned: the
/// money that left M-Pesa's account is posted, and the player keeps theirs. Returns the journal.
pub(crate) async fn bear_loss(
    conn: &mut PgConnection,
    cx: &Cx,
    operation: &Operation,
    (id, reverses): (MpesaReversalId, Option<JournalId>),
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    if !store::mpesa_reversal::bear_loss(conn, id, now).await? {
        return Err(changed().into());
    }
    let [from, to] = [HouseAccount::Promotions, HouseAccount::MpesaUtility].map(Side::House);
    let (reference, amount) = (operation.id.uuid(), operation.amount);
    let entry =
        Entry { reverses, ..Entry::new(JournalKind::Reversal, reference, from, to, amount) };
    let journal = cx.rng.uuid_v7(now);
    match store::ledger::post(conn, journal, now, &entry).await? {
        Posted::Done => Ok(journal),
        Posted::InsufficientFunds | Posted::Repeated => {
            Err(anyhow::anyhow!("the loss of a reversal cannot be posted").into())
        }
    }
}

/// Returns the refusal of an operation whose reversal changed after the plan, because M-Pesa
/// answered meanwhile.
fn changed() -> Refused {
    InvalidOperation::new("payment_id", "has a reversal that went on meanwhile").into()
}
