//! Applying what a provider told us. The outbox brings us here, once a message,
//! and again if we die on the way.
//!
//! What is not applied is not forgotten: money may have moved all the same, so
//! Daraja is asked about the payment, also where nothing was left to ask.

use std::time::Duration;

use mesh::{db, outbox::Delivery, telemetry};
use metrics::counter;
use serde::{Deserialize, Serialize};
use tracing::{Instrument, error, info_span, instrument};
use uuid::Uuid;

use super::{
    Cx,
    settle::{CALLBACK, DOUBT, Settled, settle},
};
use crate::{
    clients::daraja::{BadCallback, Callback, Queried, read_callback},
    domain::{Evidence, State, asked_again},
    error::Error,
    store::{self, inbox::Message, stk::Push},
};

/// The outbox topic of messages to be applied.
pub const CALLBACK_TOPIC: &str = "callback.apply";

/// The outcome of a message whose word was taken.
const APPLIED: &str = "applied";

/// How long a message may wait for Daraja to confirm it.
const CONFIRMABLE: Duration = Duration::from_hours(24);
/// Callbacks about payments older than this are not expected any more.
const EXPECTED: Duration = Duration::from_mins(10);

/// What an outbox row about a message says.
#[derive(Debug, Serialize, Deserialize)]
pub struct AboutCallback {
    /// Which.
    pub callback: Uuid,
}

/// Applies a message, and writes down what became of it; later, while Daraja neither
/// confirms nor denies it. An error means that it should be tried again.
#[instrument(name = "wallet.apply_callback", skip_all)]
pub async fn apply_callback(cx: &Cx, about: AboutCallback) -> Result<Delivery, Error> {
    let mut conn = cx.pool.acquire().await?;
    let Some(message) = store::inbox::find_open(&mut conn, about.callback).await? else {
        return Ok(Delivery::Done);
    };
    let push = store::stk::find_by_secret(&mut conn, &message.secret_hash).await?;
    drop(conn);
    let outcome = match (&push, read_callback(&message.body)) {
        // Not kept in the first place; see store_callback.
        (None, _) => "unknown secret",
        (Some(_), Err(BadCallback)) => {
            error!("a callback that cannot be read; the inbox has it");
            "unreadable"
        }
        (Some(push), Ok(callback)) => {
            // Settling belongs to the tap that began the payment; the message
            // that caused it is linked.
            let span =
                info_span!(parent: None, "wallet.settle_callback", payment.id = %push.payment);
            telemetry::continue_linked(&span, push.traceparent.as_deref());
            match apply(cx, &message, push, callback).instrument(span).await? {
                Some(outcome) => outcome,
                None => return Ok(Delivery::Later(pause(cx, &message))),
            }
        }
    };
    close(cx, &message, push.as_ref(), outcome).await?;
    Ok(Delivery::Done)
}

/// Until Daraja is asked again about a message.
fn pause(cx: &Cx, message: &Message) -> Duration {
    let age = Duration::try_from(cx.clock.now() - message.received_at).unwrap_or_default();
    asked_again(age).saturating_sub(age)
}

/// What became of a message; nothing yet, while it waits to be confirmed.
async fn apply(
    cx: &Cx,
    message: &Message,
    push: &Push,
    callback: Callback,
) -> Result<Option<&'static str>, Error> {
    if push.merchant.is_some() && push.merchant != callback.merchant_request_id {
        error!("a callback about another request than ours");
        return Ok(Some("another request"));
    }
    if !same_checkout(cx, push, &callback.checkout_request_id).await? {
        error!("a callback about another checkout than ours");
        return Ok(Some("another checkout"));
    }
    if callback.phone.as_ref().is_some_and(|phone| phone.digits() != push.msisdn) {
        error!("a callback about another phone than ours");
        return Ok(Some("another phone"));
    }
    let Some(evidence) = &callback.evidence else { return Ok(Some("unknown result code")) };
    if must_confirm(cx, push, &callback) {
        match cx.daraja.query(&callback.checkout_request_id).await {
            Queried::Paid => {}
            Queried::Refused(refusal) => {
                error!(code = refusal.code, "a callback says paid, and Daraja says it was not");
                return Ok(Some("not confirmed"));
            }
            Queried::Pending | Queried::Unknown | Queried::NotAsked
                if cx.clock.now() - message.received_at < CONFIRMABLE =>
            {
                return Ok(None);
            }
            Queried::Pending | Queried::Unknown | Queried::NotAsked => {
                error!("a callback says paid, and Daraja says nothing");
                return Ok(Some("unconfirmed"));
            }
        }
    }
    Ok(Some(match settle(cx, push.payment, evidence, CALLBACK).await? {
        Settled::Applied => APPLIED,
        Settled::ReceiptUsed => "receipt already used",
        Settled::SecondReceipt => "second receipt",
    }))
}

/// A callback carries no signature. Before money moves on its word Daraja is asked
/// whether it is true: where much hangs on it, where it says less than Daraja does,
/// where we know the checkout's name from callbacks alone, and where nobody expects
/// it any more.
fn must_confirm(cx: &Cx, push: &Push, callback: &Callback) -> bool {
    let Some(Evidence::Paid { receipt, amount, .. }) = &callback.evidence else { return false };
    receipt.is_none()
        || callback.phone.is_none()
        || amount.is_none_or(|amount| amount >= cx.confirm_from)
        || push.merchant.is_none()
        || matches!(push.state, State::Failed(_) | State::Expired)
        || cx.clock.now() - push.begun > EXPECTED
}

/// Whether the message is about our checkout. Where Daraja's reply to the push was
/// lost, its name is taken from here, so that we can ask by it.
async fn same_checkout(cx: &Cx, push: &Push, named: &str) -> Result<bool, Error> {
    if let Some(known) = &push.checkout {
        return Ok(known == named);
    }
    let mut conn = cx.pool.acquire().await?;
    match store::stk::adopt_checkout(&mut conn, push.payment, named).await {
        Ok(holds) => Ok(holds.as_deref() == Some(named)),
        Err(error) if db::violated(&error) == Some("stk_push_checkout") => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Writes down what became of a message, and has Daraja asked about the payment of
/// one that was not applied.
async fn close(
    cx: &Cx,
    message: &Message,
    push: Option<&Push>,
    outcome: &'static str,
) -> Result<(), Error> {
    let mut tx = cx.pool.begin().await?;
    if let Some(push) = push.filter(|_| outcome != APPLIED) {
        store::stk::dispute(&mut tx, push.payment, cx.clock.now() + DOUBT).await?;
    }
    store::inbox::close(&mut tx, message.id, outcome).await?;
    tx.commit().await?;
    counter!("callbacks_total", "outcome" => outcome).increment(1);
    Ok(())
}
