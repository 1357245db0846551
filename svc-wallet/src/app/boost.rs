//! Paying into a friend's wallet.

use mesh::{
    idempotency::{Fingerprint, RequestId},
    telemetry,
};

use super::{Cx, tell_watchers, top_up::lost_race};
use crate::{
    clients::players::Known,
    domain::{Entry, JournalKind, Payment, Side, State},
    error::{Error, Refused},
    store,
};

/// The payer and the friend, as their receipts name them.
pub(super) struct Pair {
    payer: String,
    friend: String,
}

impl Pair {
    /// The line on the friend's receipt.
    pub(super) fn received(&self) -> String {
        format!("Boost from {}", self.payer)
    }

    /// The line on the payer's.
    fn sent(&self) -> String {
        format!("Boost to {}", self.friend)
    }
}

/// Who the two are; refused when there is no such friend.
pub(super) async fn pair(cx: &Cx, payment: &Payment) -> Result<Pair, Error> {
    let known = cx.players.get(&[payment.payer, payment.beneficiary]).await?;
    let name = |id| known.iter().find(|player: &&Known| player.id == id).map(|p| p.name.clone());
    Ok(Pair {
        payer: name(payment.payer).unwrap_or_else(|| "a friend".to_owned()),
        friend: name(payment.beneficiary).ok_or(Refused::UnknownPlayer)?,
    })
}

/// From the payer's own wallet: the money moves in this transaction, or nothing
/// does.
pub(super) async fn from_wallet(
    cx: &Cx,
    payment: Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    let pair = pair(cx, &payment).await?;
    let payment = Payment { state: State::Succeeded, detail: pair.received(), ..payment };
    let now = payment.begun;
    let entry = Entry {
        kind: JournalKind::Boost,
        reference: payment.id,
        from: Side::Wallet { player: payment.payer, detail: Some(pair.sent()) },
        to: Side::Wallet { player: payment.beneficiary, detail: Some(pair.received()) },
        amount: payment.amount,
    };
    let traceparent = telemetry::traceparent();
    let mut tx = cx.pool.begin().await?;
    let fresh =
        store::payment::insert(&mut tx, &payment, request, fingerprint, traceparent.as_deref())
            .await?;
    if !fresh {
        return lost_race(&mut tx, &payment, request, fingerprint).await;
    }
    let players = [payment.payer, payment.beneficiary];
    let wallets = store::wallet::lock(&mut tx, now, &players).await?;
    store::ledger::post(&mut tx, cx.rng.uuid_v7(now), now, &entry, &wallets).await?;
    tell_watchers(&mut tx, cx, payment.id).await?;
    tx.commit().await?;
    cx.outbox.notify();
    Ok(payment)
}
