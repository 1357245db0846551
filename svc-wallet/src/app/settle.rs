//! The one place where a payment ends, whoever brings the evidence: callback,
//! query, or Daraja's own no to a push. It is judged under the payment's lock,
//! so the same news twice, or two at once, end as one.

use std::time::Duration;

use mesh::db;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, info, instrument};
use types::Money;

use super::{Cx, tell_watchers};
use crate::{
    domain::{
        Entry, Evidence, HouseAccount, JournalKind, Kind, Payment, PaymentId, Side, State, Verdict,
    },
    error::Error,
    store,
};

/// The cause of evidence that a callback brought.
pub(super) const CALLBACK: &str = "callback";
/// How long after doubtful news Daraja is asked about it, at the latest: it may
/// need a moment to know itself.
pub(super) const DOUBT: Duration = Duration::from_mins(2);

/// What came of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// It counted, or had counted before.
    Applied,
    /// Its receipt is another payment's, so it is worth nothing.
    ReceiptUsed,
    /// The payment has another receipt: it may have been paid twice.
    SecondReceipt,
}

/// Makes of a payment what the evidence makes of it. `cause` is kept in the
/// payment's history.
#[instrument(name = "wallet.settle", skip_all, fields(payment.id = %id, cause, verdict))]
pub(super) async fn settle(
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    cause: &str,
) -> Result<Settled, Error> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    let verdict = payment.judge(evidence);
    tracing::Span::current().record("verdict", tracing::field::debug(verdict));
    match verdict {
        Verdict::Credit { surprising } => {
            if surprising {
                error!("money came in for a payment that we had given up; crediting it");
            }
            credit(&mut tx, cx, &payment, now).await?;
            finish(&mut tx, cx, &payment, State::Succeeded, cause).await?;
        }
        Verdict::SetAside { received } => {
            error!(asked = %payment.amount, %received, "another amount came in; set aside");
            set_aside(&mut tx, cx, &payment, received, now).await?;
            finish(&mut tx, cx, &payment, State::Conflicted, cause).await?;
        }
        Verdict::Fail(failure) => {
            finish(&mut tx, cx, &payment, State::Failed(failure), cause).await?;
        }
        Verdict::Nothing => warn_of_contradiction(&payment, evidence),
    }
    if verdict != Verdict::Nothing {
        keep_result(&mut tx, &payment, evidence, now, cause).await?;
    }
    let settled = keep_receipt(&mut tx, id, evidence).await?;
    if settled == Settled::Applied {
        tx.commit().await?;
        cx.outbox.notify();
    }
    Ok(settled)
}

/// News that changes nothing is usually a repeat; where it contradicts what was
/// settled, somebody should know.
fn warn_of_contradiction(payment: &Payment, evidence: &Evidence) {
    match evidence {
        Evidence::Paid { amount: Some(received), .. } if *received != payment.amount => {
            error!(asked = %payment.amount, %received, "settled already, by another amount");
        }
        Evidence::Refused { refusal } if payment.state == State::Succeeded => {
            error!(code = refusal.code, "settled as paid, and now refused");
        }
        _ => info!("settled already"),
    }
}

/// Into the beneficiary's wallet, out of what M-Pesa holds for us.
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
        reference: payment.id,
        from: Side::House(HouseAccount::MpesaUtility),
        to: Side::Wallet { player: payment.beneficiary, detail: Some(payment.detail.clone()) },
        amount: payment.amount,
    };
    let wallets = store::wallet::lock(conn, now, &[payment.beneficiary]).await?;
    store::ledger::post(conn, cx.rng.uuid_v7(now), now, &entry, &wallets).await?;
    Ok(())
}

/// Where a human will find it.
async fn set_aside(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    received: Money,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let entry = Entry {
        kind: JournalKind::Suspense,
        reference: payment.id,
        from: Side::House(HouseAccount::MpesaUtility),
        to: Side::House(HouseAccount::Suspense),
        amount: received,
    };
    store::ledger::post(conn, cx.rng.uuid_v7(now), now, &entry, &[]).await?;
    Ok(())
}

async fn finish(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    state: State,
    cause: &str,
) -> Result<(), Error> {
    store::payment::advance(conn, payment, state, cause, cx.clock.now()).await?;
    tell_watchers(conn, cx, payment.id).await?;
    Ok(())
}

/// Keeps the provider's code. A doubtful no from a callback is asked about once
/// more; whatever a query says is the last word.
async fn keep_result(
    conn: &mut PgConnection,
    payment: &Payment,
    evidence: &Evidence,
    now: OffsetDateTime,
    cause: &str,
) -> Result<(), Error> {
    let (code, ask_again_at) = match evidence {
        Evidence::Paid { .. } => ("0", None),
        Evidence::Refused { refusal } => {
            let doubt = refusal.is_doubtful() && cause == CALLBACK;
            (refusal.code.as_str(), doubt.then_some(now + DOUBT))
        }
    };
    store::stk::set_result(conn, payment.id, code, ask_again_at).await?;
    Ok(())
}

/// Keeps the receipt. Where that cannot be done the evidence is not worth anything,
/// and the whole transaction goes.
async fn keep_receipt(
    conn: &mut PgConnection,
    id: PaymentId,
    evidence: &Evidence,
) -> Result<Settled, Error> {
    let Evidence::Paid { receipt: Some(receipt), at, .. } = evidence else {
        return Ok(Settled::Applied);
    };
    match store::stk::set_receipt(conn, id, receipt, *at).await {
        Ok(holds) if holds.as_deref() == Some(receipt) => Ok(Settled::Applied),
        Ok(holds) => {
            error!(receipt, holds, "a second receipt for one payment; a human must look into it");
            Ok(Settled::SecondReceipt)
        }
        Err(error) if db::violated(&error) == Some("stk_push_receipt") => {
            error!("a receipt that another payment has; refusing the evidence");
            Ok(Settled::ReceiptUsed)
        }
        Err(error) => Err(error.into()),
    }
}
