//! Asking a phone to pay. The outbox brings us here, with the trace of the tap.
//!
//! Daraja has no way to send a push twice safely, so it is sent once: whoever
//! moves the payment from CREATED to SUBMITTING sends it. If we die after that,
//! nobody knows whether the phone was asked; then the callback tells, or the
//! payment expires.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use tracing::{instrument, warn};

use super::{Cx, settle::settle, tell_watchers};
use crate::{
    clients::daraja::Pushed,
    domain::{Evidence, Payment, PaymentId, State},
    error::Error,
    store,
};

/// The outbox topic of payments whose phone is to be asked.
pub const PUSH_TOPIC: &str = "stk.push";

/// Sends the push of a payment, unless that was done before.
#[instrument(name = "wallet.push", skip_all, fields(payment.id = %id))]
pub async fn push(cx: &Cx, id: PaymentId) -> Result<(), Error> {
    let secret = secret(cx);
    let Some(payment) = begin(cx, id, &secret).await? else { return Ok(()) };
    let (Some(phone), Some(shillings)) = (&payment.phone, payment.amount.whole_shillings()) else {
        return Err(anyhow::anyhow!("a push without a phone or with odd cents").into());
    };
    match cx.daraja.push(id, phone, shillings, &secret).await {
        Pushed::Accepted { merchant_request_id, checkout_request_id } => {
            accepted(cx, id, &merchant_request_id, &checkout_request_id).await
        }
        Pushed::Refused(refusal) => settle(cx, id, &Evidence::Refused { refusal }, "push").await,
        Pushed::Unknown => {
            warn!("nobody knows whether the phone was asked; the callback or the expiry will tell");
            Ok(())
        }
    }
}

/// Makes the push ours, and keeps the secret that its callback will show.
async fn begin(cx: &Cx, id: PaymentId, secret: &str) -> Result<Option<Payment>, Error> {
    let mut tx = cx.pool.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    let now = cx.clock.now();
    let ours =
        store::payment::advance(&mut tx, id, &["CREATED"], State::Submitting, "push", now).await?;
    if !ours {
        return Ok(None);
    }
    store::stk::set_secret(&mut tx, id, &hash_secret(secret)).await?;
    tx.commit().await?;
    Ok(Some(payment))
}

/// Keeps Daraja's names. The callback may have been faster than this: then the
/// payment has moved on already, and only the names are kept.
async fn accepted(
    cx: &Cx,
    id: PaymentId,
    merchant_request_id: &str,
    checkout_request_id: &str,
) -> Result<(), Error> {
    let mut tx = cx.pool.begin().await?;
    let now = cx.clock.now();
    let from = ["SUBMITTING"];
    store::payment::advance(&mut tx, id, &from, State::Submitted, "accepted", now).await?;
    store::stk::set_names(&mut tx, id, merchant_request_id, checkout_request_id).await?;
    tell_watchers(&mut tx, cx, id).await?;
    tx.commit().await?;
    cx.bell.ring();
    Ok(())
}

/// 128 bits nobody can guess, in hex: fit for a path, and free of the words that
/// Daraja forbids in one.
fn secret(cx: &Cx) -> String {
    cx.chance.bytes::<16>().iter().fold(String::with_capacity(32), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// How a secret is kept.
pub(super) fn hash_secret(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}
