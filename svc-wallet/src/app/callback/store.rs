//! Storing a provider's callback, before the reply; it is applied afterwards.

use mesh::instrument;
use sha2::{Digest, Sha256};

use crate::{
    app::{
        Cx,
        callback::{
            apply::CALLBACK_TOPIC,
            lost::{self, is_lost, keep_lost},
        },
        inbox::{CallbackRef, check_count, secret},
        payin, payout, reversal,
    },
    domain::CallbackKind,
    error::{Error, Refused},
    store::{self, callback::StoredCallback},
};

/// A callback as the gateway received it.
#[derive(Debug, Clone)]
pub(crate) struct NewCallback {
    pub(crate) kind: CallbackKind,
    /// The secret in the callback's path.
    pub(crate) secret: String,
    /// The body as received, unchanged.
    pub(crate) body: Vec<u8>,
    /// The sender's address, for the record.
    pub(crate) source_ip: String,
}

/// Stores a provider's callback, once per content, with the outbox row that applies it.
#[instrument(name = "wallet.store_callback", skip_all, fields(callback.id, payment.id))]
pub(crate) async fn store_callback(cx: &Cx, callback: NewCallback) -> Result<(), Error> {
    let now = cx.clock.now();
    let secret_hash = secret::hash(&callback.secret);
    let mut content = Sha256::new();
    content.update(&secret_hash);
    content.update(&callback.body);
    let content_hash = content.finalize().to_vec();
    let stored = StoredCallback {
        id: cx.rng.uuid_v7(now),
        kind: callback.kind,
        secret_hash,
        body: callback.body,
        received_at: now,
    };

    let mut tx = cx.db.begin().await?;
    let payment = match stored.kind {
        // Notifications and events have use cases of their own.
        CallbackKind::Airtime | CallbackKind::Paystack => None,
        CallbackKind::MpesaStk => payin::callback::payment_of(&mut tx, &stored.secret_hash).await?,
        kind @ CallbackKind::MpesaB2c => {
            payout::callback::payment_of(&mut tx, &stored.secret_hash, kind).await?
        }
        kind @ CallbackKind::MpesaReversal => {
            reversal::callback::payment_of(&mut tx, &stored.secret_hash, kind).await?
        }
        kind @ (CallbackKind::MpesaTimeout | CallbackKind::MpesaStatus) => {
            match payout::callback::payment_of(&mut tx, &stored.secret_hash, kind).await? {
                None => reversal::callback::payment_of(&mut tx, &stored.secret_hash, kind).await?,
                payment => payment,
            }
        }
    };
    // A balance query is about no payment.
    let is_known = match stored.kind {
        _ if payment.is_some() => true,
        CallbackKind::MpesaTimeout | CallbackKind::MpesaStatus => {
            store::mpesa_balance::is_asked(&mut tx, &stored.secret_hash).await?
        }
        _ => false,
    };
    // A callback with an unknown secret is forged, unless the secret is one of ours. A forged one
    // is not stored, because any client can send it.
    let is_lost = !is_known && is_lost(cx, stored.kind, &callback.secret);
    if !is_known && !is_lost {
        return Err(Refused::UnknownCallback.into());
    }
    let span = tracing::Span::current();
    span.record("callback.id", stored.id.to_string());
    if let Some(payment) = payment {
        span.record("payment.id", payment.to_string());
    }
    let is_new =
        store::callback::insert(&mut tx, &stored, &content_hash, &callback.source_ip).await?;
    if is_new {
        check_count(&mut tx, &stored.secret_hash).await?;
    }
    let mut pauses = false;
    if is_new && is_lost {
        pauses = keep_lost(&mut tx, cx, &stored).await?;
    } else if is_new {
        let payload = CallbackRef { callback: stored.id };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, CALLBACK_TOPIC, &payload).await?;
    }
    tx.commit().await?;
    if pauses {
        lost::pause(cx).await;
    }
    cx.outbox.notify(CALLBACK_TOPIC);
    Ok(())
}
