//! Paying into a friend's wallet.

use mesh::{
    idempotency::{Fingerprint, RequestId},
    telemetry,
};

use super::{Cx, tell_watchers, top_up::repeat};
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

/// Who the friend is; refused when there is no such player.
pub(super) async fn friend(cx: &Cx, payment: &Payment) -> Result<Pair, Error> {
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
    let pair = friend(cx, &payment).await?;
    let payment = Payment { state: State::Succeeded, ..payment };
    let now = cx.clock.now();
    let entry = Entry {
        kind: JournalKind::Boost,
        reference: payment.id,
        from: Side::Wallet {
            player: payment.payer,
            detail: Some(format!("Boost to {}", pair.friend)),
        },
        to: Side::Wallet {
            player: payment.beneficiary,
            detail: Some(format!("Boost from {}", pair.payer)),
        },
        amount: payment.amount,
    };
    let traceparent = telemetry::traceparent();
    let mut tx = cx.pool.begin().await?;
    let fresh = store::payment::insert(
        &mut tx,
        &payment,
        request,
        fingerprint,
        traceparent.as_deref(),
        now,
    )
    .await?;
    if !fresh {
        return repeat(&mut tx, payment.payer, request, fingerprint).await;
    }
    let players = [payment.payer, payment.beneficiary];
    let wallets = store::wallet::lock(&mut tx, now, &players).await?;
    store::ledger::post(&mut tx, cx.chance.uuid_v7(now), now, &entry, &wallets).await?;
    tell_watchers(&mut tx, cx, payment.id).await?;
    tx.commit().await?;
    cx.bell.ring();
    Ok(payment)
}
