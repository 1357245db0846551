//! Applying what a provider told us. The outbox brings us here, once a message,
//! and again if we die on the way.

use mesh::telemetry;
use serde::{Deserialize, Serialize};
use tracing::{Instrument, error, info_span, instrument, warn};
use uuid::Uuid;

use super::{Cx, settle::settle};
use crate::{
    clients::daraja::{Callback, Queried, read_callback},
    domain::Evidence,
    error::Error,
    store::{self, inbox::Message, stk::Push},
};

/// The outbox topic of messages to be applied.
pub const CALLBACK_TOPIC: &str = "callback.apply";

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
    let outcome = match (push, read_callback(&message.body)) {
        (None, _) => {
            error!("a callback under a secret that is not ours");
            "unknown secret"
        }
        (Some(_), Err(bad)) => {
            error!(%bad, "a callback that cannot be read");
            "unreadable"
        }
        (Some(push), Ok(callback)) => {
            // Settling belongs to the tap that began the payment; the message
            // that caused it is linked.
            let span =
                info_span!(parent: None, "wallet.settle_callback", payment.id = %push.payment);
            telemetry::continue_linked(&span, push.traceparent.as_deref());
            apply(cx, &push, callback).instrument(span).await?
        }
    };
    close(cx, &message, outcome).await
}

async fn apply(cx: &Cx, push: &Push, callback: Callback) -> Result<&'static str, Error> {
    if push.checkout.as_ref().is_some_and(|known| *known != callback.checkout_request_id) {
        error!("a callback about another checkout than ours");
        return Ok("another checkout");
    }
    let Some(evidence) = callback.evidence else {
        // The reconciler asks until there is an answer that can be read.
        return Ok("unknown result code");
    };
    let Some(evidence) = confirmed(cx, evidence, &callback.checkout_request_id).await? else {
        return Ok("not confirmed");
    };
    settle(cx, push.payment, &evidence, "callback").await?;
    Ok("applied")
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

async fn close(cx: &Cx, message: &Message, outcome: &str) -> Result<(), Error> {
    let mut conn = cx.pool.acquire().await?;
    store::inbox::close(&mut conn, message.id, outcome).await?;
    Ok(())
}
