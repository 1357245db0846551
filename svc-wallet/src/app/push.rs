//! Asking a phone to pay. The outbox brings us here, with the trace of the tap.
//!
//! Daraja has no way to send a push twice safely, so it is sent once: whoever
//! moves the payment from CREATED to SUBMITTING sends it. If we die after that,
//! nobody knows whether the phone was asked; then the callback tells, or the
//! payment expires.

use std::{fmt::Write as _, time::Duration};

use anyhow::Context as _;
use mesh::outbox::Delivery;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tracing::{Instrument, error, instrument, warn};

use super::{Cx, settle::settle, tell_watchers};
use crate::{
    clients::daraja::{Names, Pushed},
    domain::{Evidence, Failure, Payment, PaymentId, Refusal, State},
    error::Error,
    store,
};

/// The outbox topic of payments whose phone is to be asked.
pub const PUSH_TOPIC: &str = "stk.push";

/// A tap younger than this waits for a Daraja that is out of reach for a moment.
const HICCUP: Duration = Duration::from_secs(15);
/// Between two looks whether it is back.
const PAUSE: Duration = Duration::from_secs(1);
/// A tap older than this is not answered by a ringing phone any more: its player
/// has gone, or has tried again.
const STALE: Duration = Duration::from_mins(1);
/// Tries to write down what Daraja said: losing it would mean never to be able to
/// ask about the payment.
const RECORD_TRIES: u32 = 4;

/// Sends the push of a payment, unless that was done before; later, while a Daraja that
/// is out of reach may be back in time. An error means that it was not sent, and should
/// be tried again.
#[instrument(name = "wallet.push", skip_all, fields(payment.id = %id))]
pub async fn push(cx: &Cx, id: PaymentId) -> Result<Delivery, Error> {
    // While this fails nothing was asked, so it comes before the payment is taken.
    let reachable = cx.daraja.has_token().await;
    let secret = secret(cx);
    let payment = match begin(cx, id, reachable, &secret).await? {
        Begun::Ours(payment) => payment,
        Begun::Before => return Ok(Delivery::Done),
        Begun::TooSoon => return Ok(Delivery::Later(PAUSE)),
    };
    if !reachable || cx.clock.now() - payment.begun > STALE {
        settle(cx, id, &not_sent(), "not sent").await?;
        return Ok(Delivery::Done);
    }
    // What Daraja says must be kept, even if nobody waits for it any more.
    let (done, outcome) = oneshot::channel();
    let own = cx.clone();
    let sending = async move {
        // Whoever gave up waiting needs no answer.
        let _ = done.send(send(&own, &payment, &secret).await);
    };
    cx.shutdown.spawn_contained("push", sending.in_current_span());
    outcome.await.context("a push died under way")??;
    Ok(Delivery::Done)
}

/// Asks the phone, and keeps what Daraja says.
async fn send(cx: &Cx, payment: &Payment, secret: &str) -> Result<(), Error> {
    let id = payment.id;
    let (Some(phone), Some(shillings)) = (&payment.phone, payment.amount.whole_shillings()) else {
        return Err(anyhow::anyhow!("a push without a phone or with odd cents").into());
    };
    match cx.daraja.push(id, phone, shillings, secret).await {
        Pushed::Accepted(names) => accepted(cx, id, &names).await,
        Pushed::Refused(refusal) => {
            settle(cx, id, &Evidence::Refused { refusal }, "push").await.map(drop)
        }
        Pushed::Unknown => {
            warn!("nobody knows whether the phone was asked; the callback or the expiry will tell");
            Ok(())
        }
    }
}

fn not_sent() -> Evidence {
    let refusal = Refusal { failure: Failure::Unreachable, code: "NOT_SENT".to_owned() };
    Evidence::Refused { refusal }
}

/// Whose a push is.
enum Begun {
    /// Ours, to be sent now.
    Ours(Payment),
    /// Nobody's any more: it was sent, or was on its way when somebody died.
    Before,
    /// Nobody's yet: Daraja is out of reach, and the tap is young enough to wait.
    TooSoon,
}

/// Makes the push ours, and keeps the secret that its callback will show.
async fn begin(cx: &Cx, id: PaymentId, reachable: bool, secret: &str) -> Result<Begun, Error> {
    let mut tx = cx.pool.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state != State::Created {
        return Ok(Begun::Before);
    }
    let now = cx.clock.now();
    if !reachable && now - payment.begun < HICCUP {
        return Ok(Begun::TooSoon);
    }
    store::payment::advance(&mut tx, &payment, State::Submitting, "push", now).await?;
    store::stk::set_secret(&mut tx, id, &hash_secret(secret)).await?;
    tx.commit().await?;
    Ok(Begun::Ours(payment))
}

/// Keeps Daraja's names, stubbornly.
async fn accepted(cx: &Cx, id: PaymentId, names: &Names) -> Result<(), Error> {
    for attempt in 1..RECORD_TRIES {
        match record(cx, id, names).await {
            Ok(()) => return Ok(()),
            Err(error) => warn!(%error, attempt, "what Daraja said was not kept yet"),
        }
        tokio::time::sleep(Duration::from_millis(200) * attempt).await;
    }
    record(cx, id, names).await.inspect_err(|_| {
        // For whoever must find the payment at Daraja by hand.
        error!(merchant_request_id = names.merchant_request_id, "what Daraja said is lost");
    })
}

/// The callback may have been faster than this: then the payment has moved on
/// already, and only the names are kept.
async fn record(cx: &Cx, id: PaymentId, names: &Names) -> Result<(), Error> {
    let mut tx = cx.pool.begin().await?;
    let now = cx.clock.now();
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state == State::Submitting {
        store::payment::advance(&mut tx, &payment, State::Submitted, "accepted", now).await?;
    }
    store::stk::set_names(&mut tx, id, &names.merchant_request_id, &names.checkout_request_id)
        .await?;
    tell_watchers(&mut tx, cx, id).await?;
    tx.commit().await?;
    cx.outbox.notify();
    Ok(())
}

/// 128 bits nobody can guess, in hex: fit for a path, and free of the words that
/// Daraja forbids in one.
fn secret(cx: &Cx) -> String {
    cx.rng.bytes::<16>().iter().fold(String::with_capacity(32), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// How a secret is kept.
pub(super) fn hash_secret(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}
