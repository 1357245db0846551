//! Applying what a provider told us. The outbox brings us here, once a message,
//! and again if we die on the way.
//!
//! What is not applied is not forgotten: money may have moved all the same, so
//! Daraja is asked about the payment, also where nothing was left to ask.

use mesh::{db, telemetry};
use metrics::counter;
use serde::{Deserialize, Serialize};
use tracing::{Instrument, error, info_span, instrument, warn};
use uuid::Uuid;

use super::{
    Cx,
    settle::{CALLBACK, DOUBT, Settled, settle},
};
use crate::{
    clients::daraja::{BadCallback, Callback, Queried, read_callback},
    domain::Evidence,
    error::Error,
    store::{self, inbox::Message, stk::Push},
};

/// The outbox topic of messages to be applied.
pub const CALLBACK_TOPIC: &str = "callback.apply";

/// The outcome of a message whose word was taken.
const APPLIED: &str = "applied";

/// What an outbox row about a message says.
#[derive(Debug, Serialize, Deserialize)]
pub struct AboutCallback {
    /// Which.
    pub callback: Uuid,
}

/// Applies a message, and writes down what became of it. An error means that it
/// should be tried again.
#[instrument(name = "wallet.apply_callback", skip_all)]
pub async fn apply_callback(cx: &Cx, about: AboutCallback) -> Result<(), Error> {
    let mut conn = cx.pool.acquire().await?;
    let Some(message) = store::inbox::find_open(&mut conn, about.callback).await? else {
        return Ok(());
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
            apply(cx, push, callback).instrument(span).await?
        }
    };
    close(cx, &message, push.as_ref(), outcome).await
}

async fn apply(cx: &Cx, push: &Push, callback: Callback) -> Result<&'static str, Error> {
    if !same_checkout(cx, push, &callback.checkout_request_id).await? {
        error!("a callback about another checkout than ours");
        return Ok("another checkout");
    }
    if callback.phone.as_ref().is_some_and(|phone| phone.digits() != push.msisdn) {
        error!("a callback about another phone than ours");
        return Ok("another phone");
    }
    let Some(evidence) = callback.evidence else {
        return Ok("unknown result code");
    };
    let Some(evidence) = confirmed(cx, evidence, &callback.checkout_request_id).await? else {
        return Ok("not confirmed");
    };
    match settle(cx, push.payment, &evidence, CALLBACK).await? {
        Settled::Applied => Ok(APPLIED),
        Settled::ReceiptUsed => Ok("receipt already used"),
    }
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

/// A callback carries no signature. Where much money hangs on it, Daraja is asked
/// whether it is true.
async fn confirmed(cx: &Cx, evidence: Evidence, checkout: &str) -> Result<Option<Evidence>, Error> {
    let Evidence::Paid { amount, .. } = &evidence else { return Ok(Some(evidence)) };
    if amount.is_some_and(|amount| amount < cx.confirm_from) {
        return Ok(Some(evidence));
    }
    match cx.daraja.query(checkout).await {
        Queried::Paid => Ok(Some(evidence)),
        Queried::Refused(refusal) => {
            error!(code = refusal.code, "a callback says paid, and Daraja says it was not");
            Ok(None)
        }
        Queried::Pending | Queried::Unknown => {
            warn!("a callback could not be confirmed yet");
            Err(anyhow::anyhow!("not confirmed yet").into())
        }
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
