//! Carrying out an operation, in the transaction of its request or decision.

use sqlx::PgConnection;
use time::OffsetDateTime;
use types::uuid::Uuid;

use super::{
    cases::UNKNOWN_AFTER,
    returned::{RETURNED_TOPIC, put_returned},
};
use crate::{
    app::{
        Cx,
        card::refund::{CARD_REFUND_TOPIC, end_refund, order_refund},
        ledger::{promotions::check_promotions, subscriptions, tax::return_duty},
        notify::NOTIFY_TOPIC,
        payin::settle::{Settled, settle_in},
        payment_changed::publish_payment_changed,
        payout::{
            notify::WITHDRAWAL_TOPIC,
            send::{PAYOUT_TOPIC, PayoutRef},
            settle::settle_payout_in,
        },
        reversal::{
            order::{bear_loss, end_reversal, order_reversal, resend_reversal},
            send::REVERSAL_TOPIC,
        },
    },
    domain::{
        Entry, Evidence, Facts, HouseAccount, InvalidOperation, JournalId, JournalKind,
        NewOperation, Operation, OperationKind, OperationState, Payment, PaymentId, PaymentKind,
        Plan, Posted, Side, State, Step,
    },
    error::{Error, Refused},
    store::{
        self,
        operation::{Audited, Decided},
    },
};

/// The cause of a state change that an operator made.
const OPERATOR: &str = "operator";

/// Locks the payment of an operation, and returns what the books have of it.
pub(super) async fn facts(
    conn: &mut PgConnection,
    payment: Option<PaymentId>,
    now: OffsetDateTime,
) -> Result<Option<Facts>, Error> {
    let Some(id) = payment else { return Ok(None) };
    let payment = match store::payment::lock(conn, id).await {
        Ok(payment) => payment,
        Err(sqlx::Error::RowNotFound) => return Err(Refused::UnknownPayment.into()),
        Err(error) => return Err(error.into()),
    };
    Ok(Some(store::operation::facts(conn, payment, now - UNKNOWN_AFTER).await?))
}

/// Refuses a funding by a receipt that belongs to a payment, whose money the ledger has already.
pub(super) async fn check_receipt(
    conn: &mut PgConnection,
    asked: &NewOperation,
) -> Result<(), Error> {
    if let (OperationKind::Fund, Some(text)) = (asked.kind, &asked.receipt)
        && store::operation::is_of_payment(conn, text).await?
    {
        return Err(receipt("is that of a payment").into());
    }
    Ok(())
}

/// Carries out the plan, and ends the operation. The caller holds the payment's lock.
pub(super) async fn carry_out(
    conn: &mut PgConnection,
    cx: &Cx,
    operation: Operation,
    plan: Plan,
    (by, reason): (&str, &str),
    now: OffsetDateTime,
) -> Result<Operation, Error> {
    if let (Some(player), Some(payment)) = (plan.revokes, operation.asked.payment) {
        subscriptions::revoke(conn, player, payment, now).await?;
    }
    let by_hand = operation.asked.kind == OperationKind::Refund && plan.step.is_by_hand();
    let reversal = plan.step.reversal(operation.id);
    let journal = take_step(conn, cx, &operation, plan.step, now).await?;
    if let Some(receipt) = &plan.settles {
        store::second_receipt::close(conn, receipt, operation.id).await?;
    }
    if let Some(player) = plan.notify {
        put_returned(conn, cx, &operation, player, now).await?;
    }
    let state = OperationState::Done;
    let decided = Decided { state, by, reason, at: now, journal, by_hand, reversal };
    let reversal = store::operation::decide(conn, operation.id, &decided).await?;
    audit(conn, cx, &operation, (by, "DONE", reason), now).await?;
    Ok(Operation {
        state: OperationState::Done,
        decided_by: Some(by.to_owned()),
        decided_at: Some(now),
        by_hand,
        reversal,
        ..operation
    })
}

/// Takes the step by which an operation moves money; returns its journal.
async fn take_step(
    conn: &mut PgConnection,
    cx: &Cx,
    operation: &Operation,
    step: Step,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, Error> {
    Ok(match step {
        Step::Post { kind, from, to, reverses } => {
            if kind == JournalKind::Refund && matches!(from, Side::Wallet { .. }) {
                let payment = locked(conn, operation).await?;
                return_duty(conn, cx, &payment, operation.amount, now).await?;
            }
            Some(post(conn, cx, operation, (kind, from, to), reverses, now).await?)
        }
        Step::RefundCard { reverses } => {
            let payment = locked(conn, operation).await?;
            let refund = operation.id.uuid().into();
            let given = (&payment, operation.amount);
            Some(order_refund(conn, cx, refund, given, reverses, now).await?)
        }
        Step::ReverseMpesa(new) => {
            let payment = locked(conn, operation).await?;
            let given = (&payment, operation.amount);
            order_reversal(conn, cx, operation.id.uuid().into(), given, new, now).await?
        }
        Step::ResendReversal(id) => {
            resend_reversal(conn, cx, id, now).await?;
            None
        }
        Step::EndReversal { id, receipt } => {
            end_reversal(conn, cx, id, receipt.as_deref(), now).await?;
            None
        }
        Step::BearLoss { id, reverses } => {
            Some(bear_loss(conn, cx, operation, (id, reverses), now).await?)
        }
        Step::EndRefund { id, is_done } => end_refund(conn, cx, id, is_done, now).await?,
        Step::CloseContradiction(id) => {
            store::card_refund::close_contradiction(conn, id, operation.id).await?;
            None
        }
        Step::CloseMismatch => {
            let Payment { id, .. } = locked(conn, operation).await?;
            store::card_payment::close_mismatch(conn, id, operation.id).await?;
            None
        }
        Step::Note => None,
        Step::Send => {
            let payment = locked(conn, operation).await?;
            store::payment::advance(conn, &payment, State::Created, OPERATOR, now).await?;
            let payload = PayoutRef { payment: payment.id, since: now };
            mesh::outbox::put(conn, &cx.clock, &cx.rng, PAYOUT_TOPIC, &payload).await?;
            None
        }
        Step::Settle(evidence) => settle(conn, cx, operation, &evidence, now).await?,
    })
}

/// Ends the payment of an operation; returns the journal that the payment then has.
async fn settle(
    conn: &mut PgConnection,
    cx: &Cx,
    operation: &Operation,
    evidence: &Evidence,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, Error> {
    let Payment { id, kind, .. } = locked(conn, operation).await?;
    let settled = if kind == PaymentKind::Withdrawal {
        settle_payout_in(conn, cx, id, evidence, OPERATOR, now).await?.0
    } else {
        settle_in(conn, cx, id, evidence, OPERATOR, now).await?.0
    };
    match settled {
        Settled::Applied => {}
        Settled::ReceiptUsed => return Err(receipt("belongs to another payment").into()),
        Settled::SecondReceipt => return Err(receipt("is not the payment's").into()),
        Settled::OtherAmount => {
            return Err(anyhow::anyhow!("an operator's evidence has the amount").into());
        }
    }
    let payment = store::payment::lock(conn, id).await?;
    let facts = store::operation::facts(conn, payment, now - UNKNOWN_AFTER).await?;
    Ok(facts.journal.map(JournalId::uuid))
}

/// The payment of an operation, which the caller has locked.
async fn locked(conn: &mut PgConnection, operation: &Operation) -> Result<Payment, Error> {
    let id = operation.asked.payment.ok_or(Refused::UnknownPayment)?;
    Ok(store::payment::lock(conn, id).await?)
}

fn receipt(problem: &'static str) -> Refused {
    InvalidOperation::new("receipt", problem).into()
}

async fn post(
    conn: &mut PgConnection,
    cx: &Cx,
    operation: &Operation,
    (kind, from, to): (JournalKind, Side, Side),
    reverses: Option<JournalId>,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let is_gift = kind == JournalKind::Credit && from == Side::House(HouseAccount::Promotions);
    let reference = operation.id.uuid();
    let entry = Entry { reverses, ..Entry::new(kind, reference, from, to, operation.amount) };
    let id = cx.rng.uuid_v7(now);
    match store::ledger::post(conn, id, now, &entry).await? {
        Posted::Done => {
            if is_gift {
                store::promotion::lock(conn).await?;
                check_promotions(conn, cx, false).await?;
            }
            Ok(id)
        }
        Posted::InsufficientFunds => Err(Refused::InsufficientFunds.into()),
        Posted::Repeated => Err(anyhow::anyhow!("the operation was posted before").into()),
    }
}

/// Publishes the change and notifies the relays, after the commit of an operation that was carried
/// out.
pub(super) fn finish(cx: &Cx, operation: &Operation) {
    if let Some(payment) = operation.asked.payment {
        publish_payment_changed(cx, payment);
    }
    cx.outbox.notify(CARD_REFUND_TOPIC);
    cx.outbox.notify(REVERSAL_TOPIC);
    cx.outbox.notify(PAYOUT_TOPIC);
    cx.outbox.notify(WITHDRAWAL_TOPIC);
    cx.outbox.notify(RETURNED_TOPIC);
    cx.outbox.notify(NOTIFY_TOPIC);
}

/// Writes an operator's action on an operation to the audit.
pub(super) async fn audit(
    conn: &mut PgConnection,
    cx: &Cx,
    operation: &Operation,
    (by, action, reason): (&str, &'static str, &str),
    now: OffsetDateTime,
) -> Result<(), Error> {
    let audited = Audited {
        id: cx.rng.uuid_v7(now),
        subject: operation.id.uuid(),
        payment: operation.asked.payment,
        operator: by,
        action,
        reason,
        at: now,
    };
    Ok(store::operation::audit(conn, audited).await?)
}
