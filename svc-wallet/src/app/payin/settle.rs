//! Ends payments, for every source of evidence: a callback, a query, or Daraja's reply to a push.
//! It holds the payment's lock, so repeated and concurrent evidence ends the payment once.

use anyhow::Context as _;
use mesh::instrument;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, info};
use types::Money;

pub(crate) use super::settled::{CALLBACK, CONFIRM_AFTER, Settled};
use crate::{
    app::{
        Cx,
        ledger::{post::post_once, subscriptions, tax::take_tax},
        notify::{NOTIFY_TOPIC, put_settled},
        payin::provider_record,
        payment_changed::publish_payment_ended,
    },
    domain::{
        Decision, Ended, Entry, Evidence, HouseAccount, JournalKind, Payment, PaymentId,
        PaymentKind, Side, State, Tax,
    },
    error::Error,
    store,
};

/// Applies evidence to a payment. `cause` is stored in the payment's history.
#[instrument(name = "wallet.settle", skip_all, fields(payment.id = %id, cause, decision))]
pub(crate) async fn settle(
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    cause: &'static str,
) -> Result<Settled, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let (settled, ended) = settle_in(&mut tx, cx, id, evidence, cause, now).await?;
    if settled == Settled::Applied {
        tx.commit().await?;
        if let Some(ended) = ended {
            publish_payment_ended(cx, &ended);
            cx.outbox.notify(NOTIFY_TOPIC);
        }
    } else {
        tx.rollback().await?;
    }
    if settled == Settled::SecondReceipt {
        keep_second_receipt(cx, id, evidence, now).await?;
    }
    Ok(settled)
}

/// Like [`settle`], in the caller's transaction. The caller must roll back unless the result is
/// [`Settled::Applied`]. Returns the payment's end too, if it ended now.
pub(crate) async fn settle_in(
    conn: &mut PgConnection,
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    cause: &'static str,
    now: OffsetDateTime,
) -> Result<(Settled, Option<Ended>), Error> {
    let payment = store::payment::lock(conn, id).await?;
    let decision = payment.decide(evidence);
    tracing::Span::current().record("decision", decision.name());
    let state = match decision {
        Decision::Credit { was_given_up } => {
            if was_given_up {
                error!("a payment that had failed or expired was paid; crediting it");
            }
            if payment.kind == PaymentKind::Subscription {
                subscriptions::grant(conn, cx, &payment, now).await?;
            }
            credit(conn, cx, &payment, now).await?;
            put_settled(conn, cx, &payment, now).await?;
            Some(State::Succeeded)
        }
        Decision::SetAside { received } => {
            error!(expected = %payment.amount, %received, "another amount was paid; set aside");
            set_aside(conn, cx, &payment, received, now).await?;
            Some(State::Conflicted)
        }
        Decision::Fail(failure) => Some(State::Failed(failure)),
        Decision::NoChange => {
            log_unapplied(&payment, evidence);
            None
        }
    };
    if let Some(state) = state {
        store::payment::advance(conn, &payment, state, cause, now).await?;
        provider_record::store_result(conn, &payment, evidence, now, cause).await?;
    }
    let settled = provider_record::store_receipt(conn, &payment, evidence).await?;
    Ok((settled, state.map(|state| payment.ended(state, cause, now))))
}

/// Stores a second receipt for an operator: the payer may have paid twice.
async fn keep_second_receipt(
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let Evidence::Paid { receipt: Some(receipt), amount, at } = evidence else { return Ok(()) };
    let mut conn = cx.db.acquire().await?;
    Ok(store::second_receipt::insert(&mut conn, id, receipt, *amount, *at, now).await?)
}

/// Logs evidence that changes nothing: usually it is a repeat; evidence that contradicts the
/// payment's end is logged as an error, for an operator.
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

/// Posts the amount from our account at the provider to the wallet or the revenue of packages, and
/// takes the duty on what is in a wallet then.
async fn credit(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let wallet = Side::wallet(payment.beneficiary);
    let (kind, to) = match payment.kind {
        PaymentKind::TopUp => (JournalKind::TopUp, wallet),
        PaymentKind::Boost => (JournalKind::Boost, wallet),
        PaymentKind::Subscription => {
            (JournalKind::Subscription, Side::House(HouseAccount::SubscriptionRevenue))
        }
        PaymentKind::Withdrawal => {
            return Err(anyhow::anyhow!("a withdrawal is not credited").into());
        }
    };
    if payment.kind != PaymentKind::TopUp {
        store::journal::insert_outside(conn, payment, kind, now).await?;
    }
    let is_boost = payment.kind == PaymentKind::Boost;
    let entry = Entry {
        counterparty: is_boost.then_some(payment.payer),
        ..Entry::new(
            kind,
            payment.id.uuid(),
            Side::House(payment.source().context("a payment from no provider")?),
            to,
            payment.amount,
        )
    };
    post_once(conn, cx, &entry, now).await?;
    if payment.kind == PaymentKind::Subscription {
        return Ok(());
    }
    let credited = (payment.beneficiary, payment.amount);
    take_tax(conn, cx, Tax::Excise, credited, payment.id.uuid(), now).await
}

/// Posts the received amount to suspense, for an operator.
async fn set_aside(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    received: Money,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let entry = Entry::new(
        JournalKind::Suspense,
        payment.id.uuid(),
        Side::House(payment.source().context("a payment from no provider")?),
        Side::House(HouseAccount::Suspense),
        received,
    );
    post_once(conn, cx, &entry, now).await
}
