//! Boosts: paying into a friend's wallet.

use mesh::{
    idempotency::{Fingerprint, RequestId},
    telemetry,
};

use super::{
    Cx,
    notify::{NOTIFY_TOPIC, put_credited},
    payment_changed::publish_payment_changed,
    repeated::get_concurrent,
};
use crate::{
    clients::players::PublicPlayer,
    domain::{Entry, JournalKind, Payment, Side, State},
    error::{Error, Refused},
    store,
};

/// The names of payer and friend, for their receipts.
pub(super) struct BoostNames {
    payer: String,
    friend: String,
}

impl BoostNames {
    /// The line on the friend's receipt.
    pub(super) fn received(&self) -> String {
        Payment::boost_detail(&self.payer)
    }

    /// The line on the payer's receipt.
    fn sent(&self) -> String {
        format!("Boost to {}", self.friend)
    }
}

/// The names of payer and friend, from svc-auth. Refused when the friend does not exist.
pub(super) async fn find_names(cx: &Cx, payment: &Payment) -> Result<BoostNames, Error> {
    let players = cx.players.get(&[payment.payer, payment.beneficiary]).await?;
    let name = |id| {
        let player = players.iter().find(|player: &&PublicPlayer| player.id == id);
        player.map(|player| player.name.clone())
    };
    Ok(BoostNames {
        payer: name(payment.payer).unwrap_or_else(|| "a friend".to_owned()),
        friend: name(payment.beneficiary).ok_or(Refused::UnknownPlayer)?,
    })
}

/// Moves the money from the payer's wallet to the friend's, in one transaction with the
/// payment.
pub(super) async fn pay_from_wallet(
    cx: &Cx,
    payment: Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    let names = find_names(cx, &payment).await?;
    let payment = Payment { state: State::Succeeded, detail: names.received(), ..payment };
    let now = payment.created_at;
    let entry = Entry {
        kind: JournalKind::Boost,
        reference: payment.id.uuid(),
        from: Side::Wallet { player: payment.payer, detail: Some(names.sent()) },
        to: Side::Wallet { player: payment.beneficiary, detail: Some(names.received()) },
        amount: payment.amount,
    };
    let traceparent = telemetry::traceparent();
    let mut tx = cx.db.begin().await?;
    let is_new =
        store::payment::insert(&mut tx, &payment, request, fingerprint, traceparent.as_deref())
            .await?;
    if !is_new {
        return get_concurrent(&mut tx, payment.payer, request, fingerprint).await;
    }
    let players = [payment.payer, payment.beneficiary];
    let wallets = store::wallet::lock(&mut tx, now, &players).await?;
    store::journal::post(&mut tx, cx.rng.uuid_v7(now), now, &entry, &wallets).await?;
    put_credited(&mut tx, cx, &payment, now).await?;
    tx.commit().await?;
    publish_payment_changed(cx, payment.id);
    cx.outbox.notify(NOTIFY_TOPIC);
    Ok(payment)
}
