//! The one place where a payment ends, whoever brings the evidence: callback,
//! query, or Daraja's own no to a push. It is judged under the payment's lock,
//! so the same news twice, or two at once, end as one.

use anyhow::Context;
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

/// Makes of a payment what the evidence makes of it. `cause` is kept in the
/// payment's history.
#[instrument(name = "wallet.settle", skip_all, fields(payment.id = %id, cause, verdict))]
pub(super) async fn settle(
    cx: &Cx,
    id: PaymentId,
    evidence: &Evidence,
    cause: &str,
) -> Result<(), Error> {
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
        Verdict::Nothing => info!("settled already"),
    }
    if keep_result(&mut tx, id, evidence).await? {
        tx.commit().await?;
        cx.bell.ring();
    }
    Ok(())
}

/// Into the beneficiary's wallet, out of what M-Pesa holds for us.
async fn credit(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let (kind, detail) = match payment.kind {
        Kind::TopUp => (JournalKind::TopUp, "M-Pesa"),
        Kind::Boost => (JournalKind::Boost, "Boost from a friend, by M-Pesa"),
    };
    let entry = Entry {
        kind,
        reference: payment.id,
        from: Side::House(HouseAccount::MpesaUtility),
        to: Side::Wallet { player: payment.beneficiary, detail: Some(detail.to_owned()) },
        amount: payment.amount,
    };
    let wallets = store::wallet::lock(conn, now, &[payment.beneficiary]).await?;
    store::ledger::post(conn, cx.chance.uuid_v7(now), now, &entry, &wallets).await?;
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
    store::ledger::post(conn, cx.chance.uuid_v7(now), now, &entry, &[]).await?;
    Ok(())
}

async fn finish(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    state: State,
    cause: &str,
) -> Result<(), Error> {
    let anywhere = ["CREATED", "SUBMITTING", "SUBMITTED", "FAILED", "EXPIRED"];
    let moved =
        store::payment::advance(conn, payment.id, &anywhere, state, cause, cx.clock.now()).await?;
    if !moved {
        return Err(anyhow::anyhow!("a locked payment was not where it was read to be").into());
    }
    tell_watchers(conn, cx, payment.id).await?;
    Ok(())
}

/// Keeps code and receipt. False when the receipt is another payment's: then the
/// evidence is not worth anything, and the whole transaction goes.
async fn keep_result(
    conn: &mut PgConnection,
    id: PaymentId,
    evidence: &Evidence,
) -> Result<bool, Error> {
    let kept = match evidence {
        Evidence::Paid { receipt, at, .. } => {
            store::stk::set_result(conn, id, "0", receipt.as_deref(), *at).await
        }
        Evidence::Refused { refusal } => {
            store::stk::set_result(conn, id, &refusal.code, None, None).await
        }
    };
    match kept {
        Ok(()) => Ok(true),
        Err(error) if db::violated(&error) == Some("stk_push_receipt") => {
            error!("a receipt that another payment has; refusing the evidence");
            Ok(false)
        }
        Err(error) => Err(error).context("keep the result").map_err(Error::from),
    }
}
