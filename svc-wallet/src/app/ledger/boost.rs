//! Boosts: paying into a friend's wallet.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use mesh::{
    idempotency::{Fingerprint, RequestId},
    telemetry,
};
use tokio::time::timeout;
use tracing::warn;
use types::PlayerId;

use crate::{
    app::{
        Cx,
        notify::{Credited, NOTIFY_TOPIC},
        repeated::find_repeated,
    },
    domain::{Limits, OutOfLimits, Payment, State},
    error::{Error, Refused},
    store::{
        self,
        ledger::{Transfer, Transferred},
    },
};

/// Stands for the payer's name where svc-auth has none, or does not reply in time.
const A_FRIEND: &str = "a friend";
/// How long a payment from the wallet waits for the payer's name.
const NAME_LIMIT: Duration = Duration::from_secs(1);

/// Returns the line on the friend's receipt, with the payer's name from svc-auth. Refuses a friend
/// who does not exist.
pub(crate) async fn find_detail(cx: &Cx, payment: &Payment) -> Result<String, Error> {
    let names = cx.players.names(&[payment.payer, payment.beneficiary]).await?;
    if !names.contains_key(&payment.beneficiary) {
        return Err(Refused::UnknownPlayer.into());
    }
    Ok(Payment::boost_detail(names.get(&payment.payer).map_or(A_FRIEND, |name| name)))
}

/// Returns the payer's name for the friend's receipt. The money moves without it, too.
async fn payer_name(cx: &Cx, payer: PlayerId) -> Arc<str> {
    let name = match timeout(NAME_LIMIT, cx.players.names(&[payer])).await {
        Ok(Ok(mut names)) => names.remove(&payer),
        Ok(Err(error)) => {
            warn!(%error, "a payer's name is not known");
            None
        }
        Err(_) => {
            warn!("a payer's name did not come in time");
            None
        }
    };
    name.unwrap_or_else(|| A_FRIEND.into())
}

/// Moves the money from the payer's wallet to the friend's, in one statement with the payment and
/// the notification's outbox row. A request that is sent twice gets its first payment.
pub(crate) async fn pay_from_wallet(
    cx: &Cx,
    payment: Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    let detail = Payment::boost_detail(&payer_name(cx, payment.payer).await);
    let payment = Payment { state: State::Succeeded, detail, ..payment };
    let now = payment.created_at;
    let credited = serde_json::to_value(Credited::of(&payment, now));
    let notice = credited.context("a notification's payload")?;
    let transfer = || Transfer {
        payment: payment.clone(),
        request: request.clone(),
        fingerprint: fingerprint.clone(),
        traceparent: telemetry::traceparent(),
        journal: cx.rng.uuid_v7(now),
        notice: (cx.rng.uuid_v7(now), notice.clone()),
    };
    let mut outcome = cx.transfers.call(transfer()).await?;
    if outcome == Transferred::NoWallet {
        // The friend has no wallet: check that the player exists.
        let names = cx.players.names(&[payment.beneficiary]).await?;
        if !names.contains_key(&payment.beneficiary) {
            return Err(Refused::UnknownPlayer.into());
        }
        let mut conn = cx.db.acquire().await?;
        store::ledger::open_wallet(&mut conn, payment.beneficiary, now).await?;
        drop(conn);
        outcome = cx.transfers.call(transfer()).await?;
    }
    match outcome {
        Transferred::Done => {
            // No change is published: no client can watch a payment before it has the id, and this
            // payment has ended.
            cx.outbox.notify(NOTIFY_TOPIC);
            Ok(payment)
        }
        Transferred::Repeated => {
            let mut conn = cx.db.acquire().await?;
            let first = find_repeated(&mut conn, payment.payer, request, fingerprint).await?;
            first.ok_or(Error::Conflict)
        }
        Transferred::InsufficientFunds => Err(Refused::InsufficientFunds.into()),
        Transferred::DailyLimit => {
            let daily = Limits::paying_in(false).daily;
            Err(Refused::Limits(OutOfLimits::Daily { daily }).into())
        }
        Transferred::NoWallet => Err(Error::Conflict),
    }
}
