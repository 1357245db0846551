//! Sending the prompt of a payment to its phone. An outbox delivery sends it, in the trace of the
//! top-up.
//!
//! Daraja cannot recognise a push that is sent twice, so it is sent once: by the delivery that
//! moves the payment from CREATED to SUBMITTING. If the process dies after that, it is unknown
//! whether the phone got a prompt; a callback decides, or the payment expires.

use std::time::Duration;

use mesh::{instrument, outbox::Delivery};
use serde::{Deserialize, Serialize};
use tracing::{error, warn};

use crate::{
    app::{
        Cx, inbox, payin::settle::settle, payment_changed::publish_payment_changed,
        provider_calls::with_retries,
    },
    clients::daraja::{PushIds, PushResult},
    domain::{CallbackKind, Evidence, Failure, Payment, PaymentId, ProviderRefusal, State},
    error::Error,
    store,
};

/// The outbox topic of pushes to send.
pub(crate) const PUSH_TOPIC: &str = "stk.push";

/// A payment younger than this waits for Daraja when it is out of reach.
const WAIT_FOR_DARAJA: Duration = Duration::from_secs(15);
/// Pause between two tries to reach Daraja.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// No push is sent for a payment older than this: its player has left, or tried again.
const STALE: Duration = Duration::from_mins(1);

/// The payload of an outbox row about a payment.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PaymentRef {
    pub(crate) payment: PaymentId,
}

/// Sends the push of a payment, unless it was sent before. The delivery is put off while Daraja is
/// out of reach and the payment is young. After an error nothing was sent, and the push may be
/// retried.
#[instrument(name = "wallet.push", skip_all, fields(payment.id = %id))]
pub(crate) async fn push(cx: &Cx, id: PaymentId) -> Result<Delivery, Error> {
    // Get the token before the payment is claimed: a failure here means that nothing was sent.
    let reachable = cx.daraja.has_token().await;
    let secret = inbox::secret::generate(cx, CallbackKind::MpesaStk);
    let payment = match claim(cx, id, reachable, &secret).await? {
        PushClaim::Claimed(payment) => payment,
        PushClaim::AlreadySent => return Ok(Delivery::Done),
        PushClaim::TooEarly => return Ok(Delivery::Later(RETRY_PAUSE)),
    };
    if !reachable || cx.clock.now() - payment.created_at > STALE {
        settle(cx, id, &not_sent(), "not sent").await?;
        return Ok(Delivery::Done);
    }
    let own = cx.clone();
    let sending = async move { send(&own, &payment, &secret).await };
    cx.shutdown.run_apart("push", sending).await??;
    Ok(Delivery::Done)
}

/// Sends the push, and stores what Daraja replies.
async fn send(cx: &Cx, payment: &Payment, secret: &str) -> Result<(), Error> {
    let id = payment.id;
    let (Some(phone), Some(shillings)) = (&payment.phone, payment.amount.whole_shillings()) else {
        return Err(anyhow::anyhow!("a push without a phone or with odd cents").into());
    };
    match cx.daraja.push(id, phone, shillings, secret).await {
        PushResult::Accepted(ids) => {
            with_retries("store Daraja's ids", || async {
                store_ids(cx, id, &ids).await.inspect_err(|_| {
                    // An operator needs this id to find the payment at Daraja, if no try succeeds.
                    let merchant_request_id = &ids.merchant_request_id;
                    error!(merchant_request_id, "Daraja's ids are not stored");
                })
            })
            .await
        }
        PushResult::Refused(refusal) => {
            settle(cx, id, &Evidence::Refused { refusal }, "push").await.map(drop)
        }
        PushResult::Unknown => {
            warn!("Daraja's reply to a push was lost; a callback or the expiry decides");
            Ok(())
        }
    }
}

fn not_sent() -> Evidence {
    let refusal = ProviderRefusal { failure: Failure::Unreachable, code: "NOT_SENT".to_owned() };
    Evidence::Refused { refusal }
}

/// The result of claiming a push.
enum PushClaim {
    /// This delivery sends the push now.
    Claimed(Box<Payment>),
    /// Another delivery sent the push, or was about to when its process died.
    AlreadySent,
    /// Daraja is out of reach, and the payment is young enough to wait.
    TooEarly,
}

/// Moves the payment to SUBMITTING, and stores the hash of its callback's secret.
async fn claim(cx: &Cx, id: PaymentId, reachable: bool, secret: &str) -> Result<PushClaim, Error> {
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state != State::Created {
        return Ok(PushClaim::AlreadySent);
    }
    let now = cx.clock.now();
    if !reachable && now - payment.created_at < WAIT_FOR_DARAJA {
        return Ok(PushClaim::TooEarly);
    }
    store::payment::advance(&mut tx, &payment, State::Submitting, "push", now).await?;
    store::stk_push::set_secret(&mut tx, id, &inbox::secret::hash(secret)).await?;
    tx.commit().await?;
    Ok(PushClaim::Claimed(Box::new(payment)))
}

/// Stores Daraja's ids, without which the payment cannot be queried. If the callback came first, the
/// payment has ended already, and its state stays.
async fn store_ids(cx: &Cx, id: PaymentId, ids: &PushIds) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let now = cx.clock.now();
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state == State::Submitting {
        store::payment::advance(&mut tx, &payment, State::Submitted, "accepted", now).await?;
    }
    store::stk_push::set_ids(&mut tx, id, &ids.merchant_request_id, &ids.checkout_request_id)
        .await?;
    tx.commit().await?;
    publish_payment_changed(cx, id);
    Ok(())
}
