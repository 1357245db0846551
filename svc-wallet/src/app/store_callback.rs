//! Storing a provider's callback, before the reply; it is applied afterwards.

use mesh::instrument;
use sha2::{Digest, Sha256};

use super::{
    Cx,
    apply_callback::{CALLBACK_TOPIC, CallbackRef},
    callback_secret,
};
use crate::{
    error::{Error, Refused},
    store::{self, callback::StoredCallback},
};

/// A callback as the gateway received it.
#[derive(Debug, Clone)]
pub(crate) struct NewCallback {
    /// From the path.
    pub(crate) secret: String,
    /// Unchanged.
    pub(crate) body: Vec<u8>,
    /// The sender's address, for the record.
    pub(crate) source_ip: String,
}

/// Stores a callback of M-Pesa, once per content, with the outbox row that applies it.
#[instrument(name = "wallet.store_callback", skip_all, fields(callback.id, payment.id))]
pub(crate) async fn store_callback(cx: &Cx, callback: NewCallback) -> Result<(), Error> {
    let now = cx.clock.now();
    let secret_hash = callback_secret::hash(&callback.secret);
    let mut content = Sha256::new();
    content.update(&secret_hash);
    content.update(&callback.body);
    let content_hash = content.finalize().to_vec();
    let stored = StoredCallback {
        id: cx.rng.uuid_v7(now),
        secret_hash,
        body: callback.body,
        received_at: now,
    };

    let mut tx = cx.db.begin().await?;
    // A secret is stored before Daraja gets it, so a callback with another one is forged.
    // It is not stored, because anybody can send it.
    let push = store::stk_push::find_by_secret(&mut tx, &stored.secret_hash).await?;
    let payment = push.ok_or(Refused::UnknownCallback)?.payment;
    tracing::Span::current()
        .record("callback.id", stored.id.to_string())
        .record("payment.id", payment.to_string());
    let is_new =
        store::callback::insert(&mut tx, &stored, "MPESA_STK", &content_hash, &callback.source_ip)
            .await?;
    if is_new {
        let payload = CallbackRef { callback: stored.id };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, CALLBACK_TOPIC, &payload).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(CALLBACK_TOPIC);
    Ok(())
}
