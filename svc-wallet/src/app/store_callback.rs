//! Taking in what a provider tells us: kept before it is answered, applied
//! afterwards.

use sha2::{Digest, Sha256};
use tracing::instrument;

use super::{CALLBACK_TOPIC, Cx, apply_callback::AboutCallback, push::hash_secret};
use crate::{
    error::{Error, Refused},
    store::{self, inbox::Message},
};

/// A message as the gateway passed it on.
#[derive(Debug, Clone)]
pub struct NewCallback {
    /// From the path.
    pub secret: String,
    /// Byte for byte.
    pub body: Vec<u8>,
    /// Who sent it, for the record.
    pub source_ip: String,
}

/// Keeps a message of M-Pesa's, once per content, and has it applied. What it
/// means is found out later; the provider only needs to know that we have it.
#[instrument(name = "wallet.store_callback", skip_all)]
pub async fn store_callback(cx: &Cx, callback: NewCallback) -> Result<(), Error> {
    let now = cx.clock.now();
    let secret_hash = hash_secret(&callback.secret);
    let mut content = Sha256::new();
    content.update(&secret_hash);
    content.update(&callback.body);
    let content_hash = content.finalize().to_vec();
    let id = cx.rng.uuid_v7(now);
    let message = Message { id, secret_hash, body: callback.body, received_at: now };

    let mut tx = cx.pool.begin().await?;
    // Secrets are kept before Daraja hears of them, so one that is not here is
    // noise, and noise is not kept: anybody can send it.
    if store::stk::find_by_secret(&mut tx, &message.secret_hash).await?.is_none() {
        return Err(Refused::UnknownCallback.into());
    }
    let fresh =
        store::inbox::insert(&mut tx, &message, "MPESA_STK", &content_hash, &callback.source_ip)
            .await?;
    if fresh {
        let about = AboutCallback { callback: message.id };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, CALLBACK_TOPIC, &about).await?;
    }
    tx.commit().await?;
    cx.outbox.notify();
    Ok(())
}
