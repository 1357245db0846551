//! Ends withdrawals, for every source of evidence: a result, a status query, Daraja's reply or an
//! operator. It holds the payment's lock, so repeated and concurrent evidence ends the withdrawal
//! once.

use mesh::{db, instrument};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, info};

use crate::{
    app::{
        Cx,
        ledger::post::post_once,
        payin::settle::Settled,
        payment_changed::publish_payment_ended,
        payout::notify::{WITHDRAWAL_TOPIC, put_ended},
    },
    domain::{
        Ended, Entry, Evidence, HoldEnd, HouseAccount, JournalKind, Payment, PaymentId, PayoutCase,
        PayoutDecision, Side, State,
    },
    error::Error,
    store,
};

/// Applies evidence to a withdrawal. `cause` is stored in the payment's history.
#[instrument(name = "wallet.settle_payout", skip_all, fields(payment.id = %id, cause, decision))]
pub(crate) async fn settle_payout(
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    cause: &'static str,
) -> Result<Settled, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let (settled, ended) = settle_payout_in(&mut tx, cx, id, evidence, cause, now).await?;
    if settled == Settled::ReceiptUsed {
        // Returning here rolls the transaction back.
        return Ok(settled);
    }
    tx.commit().await?;
    if let Some(ended) = ended {
        finish(cx, &ended);
    }
    Ok(settled)
}

/// Publishes, notifies and counts the end of a withdrawal, after the commit.
pub(crate) fn finish(cx: &Cx, ended: &Ended) {
    publish_payment_ended(cx, ended);
    cx.outbox.notify(WITHDRAWAL_TOPIC);
}

/// Like [`settle_payout`], in the caller's transaction. The caller must roll back on
/// [`Settled::ReceiptUsed`]. Returns the withdrawal's end too, if it ended now.
pub(crate) async fn settle_payout_in(
    conn: &mut PgConnection,
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    cause: &'static str,
    now: OffsetDateTime,
) -> Result<(Settled, Option<Ended>), Error> {
    let payment = store::payment::lock(conn, id).await?;
    let decision = payment.decide_payout(evidence);
    tracing::Span::current().record("decision", decision.name());
    let state = match decision {
        PayoutDecision::Pay => State::Succeeded,
        PayoutDecision::GiveBack(failure) => State::Failed(failure),
        PayoutDecision::PaidAfterFailure => {
            error!("a withdrawal that was given back was paid; an operator must look into it");
            store::b2c_payout::open_case(conn, id, PayoutCase::PaidAfterFailure, now).await?;
            State::Conflicted
        }
        PayoutDecision::OtherAmount { sent } => {
            error!(expected = %payment.amount, %sent, "a payout was of another amount");
            store::b2c_payout::open_case(conn, id, PayoutCase::OtherAmount, now).await?;
            return Ok((Settled::OtherAmount, None));
        }
        PayoutDecision::NoChange => {
            log_unapplied(&payment, evidence);
            payment.state
        }
    };
    let settled = store_receipt(conn, id, evidence, now).await?;
    if settled == Settled::ReceiptUsed || state == payment.state {
        return Ok((settled, None));
    }
    store::b2c_payout::set_result(conn, id, code(evidence)).await?;
    if decision != PayoutDecision::PaidAfterFailure {
        put_ended(conn, cx, &payment, decision == PayoutDecision::Pay, now).await?;
    }
    store::payment::advance(conn, &payment, state, cause, now).await?;
    move_money(conn, cx, &payment, decision, now).await?;
    Ok((settled, Some(payment.ended(state, cause, now))))
}

fn code(evidence: &Evidence) -> &str {
    match evidence {
        Evidence::Paid { .. } => "0",
        Evidence::Refused { refusal } => &refusal.code,
    }
}

/// Spends or frees the hold. Call it last, because it locks the wallet's row.
async fn move_money(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    decision: PayoutDecision,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let journal = cx.rng.uuid_v7(now);
    let ended = match decision {
        PayoutDecision::Pay => store::ledger::settle_hold(conn, payment.id, journal, now).await?,
        PayoutDecision::GiveBack(_) => store::ledger::release(conn, payment.id, now).await?,
        PayoutDecision::PaidAfterFailure => {
            // M-Pesa has less than the ledger says; an operator decides who bears the loss.
            let entry = Entry::new(
                JournalKind::Suspense,
                payment.id.uuid(),
                Side::House(HouseAccount::Suspense),
                Side::House(HouseAccount::MpesaUtility),
                payment.amount,
            );
            return post_once(conn, cx, &entry, now).await;
        }
        PayoutDecision::OtherAmount { .. } | PayoutDecision::NoChange => return Ok(()),
    };
    match ended {
        HoldEnd::Done => Ok(()),
        // Unreachable: the payment's state says that its hold is open.
        other => Err(anyhow::anyhow!("the hold's end is {other:?}").into()),
    }
}

/// Logs evidence that changes nothing: usually it is a repeat; evidence that contradicts the
/// withdrawal's end is logged as an error, for an operator.
fn log_unapplied(payment: &Payment, evidence: &Evidence) {
    match evidence {
        Evidence::Paid { amount: Some(sent), .. } if *sent != payment.amount => {
            error!(expected = %payment.amount, %sent, "paid before, with another amount");
        }
        Evidence::Refused { refusal } if payment.state == State::Succeeded => {
            error!(code = refusal.code, "paid before, and refused now");
        }
        _ => info!("settled before"),
    }
}

/// Stores the receipt. Where the result is [`Settled::ReceiptUsed`], the caller must roll the
/// transaction back.
async fn store_receipt(
    conn: &mut PgConnection,
    id: PaymentId,
    evidence: &Evidence,
    now: OffsetDateTime,
) -> Result<Settled, Error> {
    let Evidence::Paid { receipt: Some(receipt), amount, at } = evidence else {
        return Ok(Settled::Applied);
    };
    match store::b2c_payout::set_receipt(conn, id, receipt, *at).await {
        Ok(stored) if stored.as_deref() == Some(receipt) => Ok(Settled::Applied),
        Ok(stored) => {
            error!(receipt, stored, "a payout has a second receipt; it may have been paid twice");
            store::second_receipt::insert(conn, id, receipt, *amount, *at, now).await?;
            Ok(Settled::SecondReceipt)
        }
        Err(error) if db::violated(&error) == Some("b2c_payout_receipt") => {
            error!("another payout has this receipt; ignoring the evidence");
            Ok(Settled::ReceiptUsed)
        }
        Err(error) => Err(error.into()),
    }
}
