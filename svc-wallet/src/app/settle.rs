//! The one place where a payment ends, wherever the evidence comes from: a callback, a
//! query, or Daraja's reply to a push. It holds the payment's lock, so repeated and
//! concurrent evidence ends the payment once.

use std::time::Duration;

use mesh::{db, instrument};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, info};
use types::Money;

use super::{
    Cx,
    notify::{NOTIFY_TOPIC, put_credited},
    payment_changed::publish_payment_changed,
};
use crate::{
    domain::{
        Decision, Entry, Evidence, HouseAccount, JournalKind, Kind, Payment, PaymentId, Side, State,
    },
    error::Error,
    store,
};

/// The cause of a change that a callback brought.
pub(super) const CALLBACK: &str = "callback";
/// How long after doubtful evidence Daraja is queried, at the latest. Not at once, because
/// Daraja itself may need a moment to have the result.
pub(super) const CONFIRM_AFTER: Duration = Duration::from_mins(2);

/// What became of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// It was applied, now or before.
    Applied,
    /// Another payment has its receipt: it was ignored.
    ReceiptUsed,
    /// The payment has another receipt: it may have been paid twice.
    SecondReceipt,
}

/// Applies evidence to a payment. `cause` is stored in the payment's history.
#[instrument(name = "wallet.settle", skip_all, fields(payment.id = %id, cause, decision))]
pub(super) async fn settle(
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    cause: &str,
) -> Result<Settled, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    let decision = payment.decide(evidence);
    tracing::Span::current().record("decision", tracing::field::debug(decision));
    match decision {
        Decision::Credit { was_given_up } => {
            if was_given_up {
                error!("a payment that had failed or expired was paid; crediting it");
            }
            credit(&mut tx, cx, &payment, now).await?;
            put_credited(&mut tx, cx, &payment, now).await?;
            store::payment::advance(&mut tx, &payment, State::Succeeded, cause, now).await?;
        }
        Decision::SetAside { received } => {
            error!(expected = %payment.amount, %received, "another amount was paid; set aside");
            set_aside(&mut tx, cx, &payment, received, now).await?;
            store::payment::advance(&mut tx, &payment, State::Conflicted, cause, now).await?;
        }
        Decision::Fail(failure) => {
            store::payment::advance(&mut tx, &payment, State::Failed(failure), cause, now).await?;
        }
        Decision::NoChange => log_unapplied(&payment, evidence),
    }
    if decision != Decision::NoChange {
        store_result(&mut tx, &payment, evidence, now, cause).await?;
    }
    let settled = store_receipt(&mut tx, id, evidence).await?;
    if settled == Settled::Applied {
        tx.commit().await?;
        if decision != Decision::NoChange {
            publish_payment_changed(cx, id);
        }
        if matches!(decision, Decision::Credit { .. }) {
            cx.outbox.notify(NOTIFY_TOPIC);
        }
    }
    Ok(settled)
}

/// Logs evidence that changes nothing: usually it is a repeat; where it contradicts the
/// payment's end, an operator must look into it.
fn log_unapplied(payment: &Payment, evidence: &Evidence) {
    match evidence {
        Evidence::Paid { amount: Some(received), .. } if *received != payment.amount => {
            error!(expected = %payment.amount, %received, "settled before, with another amount");
        }
        Evidence::Refused { refusal } if payment.state == State::Succeeded => {
            error!(code = refusal.code, "settled as paid before, and refused now");
        }
        _ => info!("settled before"),
    }
}

/// Posts the amount from our account at M-Pesa to the beneficiary's wallet.
async fn credit(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let kind = match payment.kind {
        Kind::TopUp => JournalKind::TopUp,
        Kind::Boost => JournalKind::Boost,
    };
    let entry = Entry {
        kind,
        reference: payment.id.uuid(),
        from: Side::House(HouseAccount::MpesaUtility),
        to: Side::Wallet { player: payment.beneficiary, detail: Some(payment.detail.clone()) },
        amount: payment.amount,
    };
    let wallets = store::wallet::lock(conn, now, &[payment.beneficiary]).await?;
    store::journal::post(conn, cx.rng.uuid_v7(now), now, &entry, &wallets).await?;
    Ok(())
}

/// Posts the received amount to suspense, for an operator.
async fn set_aside(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    received: Money,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let entry = Entry {
        kind: JournalKind::Suspense,
        reference: payment.id.uuid(),
        from: Side::House(HouseAccount::MpesaUtility),
        to: Side::House(HouseAccount::Suspense),
        amount: received,
    };
    store::journal::post(conn, cx.rng.uuid_v7(now), now, &entry, &[]).await?;
    Ok(())
}

/// Stores the provider's result code. Daraja is queried once more about a doubtful refusal
/// in a callback; the result of a query is final.
async fn store_result(
    conn: &mut PgConnection,
    payment: &Payment,
    evidence: &Evidence,
    now: OffsetDateTime,
    cause: &str,
) -> Result<(), Error> {
    let (code, query_due_at) = match evidence {
        Evidence::Paid { .. } => ("0", None),
        Evidence::Refused { refusal } => {
            let confirm = refusal.is_doubtful() && cause == CALLBACK;
            (refusal.code.as_str(), confirm.then_some(now + CONFIRM_AFTER))
        }
    };
    store::stk_push::set_result(conn, payment.id, code, query_due_at).await?;
    Ok(())
}

/// Stores the receipt. Unless the result is [`Settled::Applied`], the caller must roll the
/// transaction back.
async fn store_receipt(
    conn: &mut PgConnection,
    id: PaymentId,
    evidence: &Evidence,
) -> Result<Settled, Error> {
    let Evidence::Paid { receipt: Some(receipt), at, .. } = evidence else {
        return Ok(Settled::Applied);
    };
    match store::stk_push::set_receipt(conn, id, receipt, *at).await {
        Ok(stored) if stored.as_deref() == Some(receipt) => Ok(Settled::Applied),
        Ok(stored) => {
            error!(
                receipt,
                stored, "a payment has a second receipt; an operator must look into it"
            );
            Ok(Settled::SecondReceipt)
        }
        Err(error) if db::violated(&error) == Some("stk_push_receipt") => {
            error!("another payment has this receipt; ignoring the evidence");
            Ok(Settled::ReceiptUsed)
        }
        Err(error) => Err(error.into()),
    }
}
