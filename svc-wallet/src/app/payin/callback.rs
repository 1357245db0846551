//! Callbacks of M-Pesa STK pushes.
//!
//! A callback that cannot be applied may still mean that money moved, so Daraja is queried
//! about its payment, even where no query was left.

use std::time::Duration;

use mesh::{db, entry_span, telemetry};
use sqlx::PgConnection;
use tracing::{Instrument, error};

use crate::{
    app::{
        Cx,
        inbox::{APPLIED, CallbackOutcome, close},
        payin::settle::{CALLBACK, CONFIRM_AFTER, Settled, settle},
    },
    clients::daraja::{BadCallback, Callback, QueryResult, parse_callback},
    domain::{Evidence, PaymentId, State, retry_at},
    error::Error,
    store::{self, callback::StoredCallback, stk_push::Push},
};

/// Longest that a callback may wait for Daraja to confirm it.
const CONFIRM_LIMIT: Duration = Duration::from_hours(24);
/// Callbacks about payments older than this are unusual, and are confirmed.
const EXPECTED_AGE: Duration = Duration::from_mins(10);

/// The payment whose push has this secret.
pub(crate) async fn payment_of(
    conn: &mut PgConnection,
    secret_hash: &[u8],
) -> Result<Option<PaymentId>, Error> {
    let push = store::stk_push::find_by_secret(conn, secret_hash).await?;
    Ok(push.map(|push| push.payment))
}

/// Applies a callback to its push's payment.
pub(crate) async fn apply(cx: &Cx, stored: &StoredCallback) -> Result<CallbackOutcome, Error> {
    let mut conn = cx.db.acquire().await?;
    let push = store::stk_push::find_by_secret(&mut conn, &stored.secret_hash).await?;
    drop(conn);
    if let Some(push) = &push {
        tracing::Span::current().record("payment.id", push.payment.to_string());
    }
    let outcome = match (&push, parse_callback(&stored.body)) {
        // Unreachable: `store_callback` has no callback with an unknown secret applied.
        (None, _) => "unknown secret",
        (Some(_), Err(BadCallback)) => {
            error!("cannot parse a callback; callback_inbox has it");
            "unreadable"
        }
        (Some(push), Ok(callback)) => {
            // The span continues the trace of the top-up, with a link to the callback's trace.
            let span =
                entry_span!(parent: None, "wallet.settle_callback", payment.id = %push.payment);
            telemetry::continue_linked(&span, push.traceparent.as_deref());
            let applied = telemetry::observe(apply_to(cx, stored, push, callback));
            match applied.instrument(span).await? {
                Some(outcome) => outcome,
                None => return Ok(CallbackOutcome::Later(confirm_pause(cx, stored))),
            }
        }
    };
    let mut tx = cx.db.begin().await?;
    if let Some(push) = push.filter(|_| outcome != APPLIED) {
        let at = cx.clock.now() + CONFIRM_AFTER;
        store::stk_push::dispute(&mut tx, push.payment, at).await?;
    }
    close(&mut tx, stored, outcome).await?;
    tx.commit().await?;
    Ok(CallbackOutcome::Closed(outcome))
}

/// Pause before Daraja is queried again about a callback.
fn confirm_pause(cx: &Cx, stored: &StoredCallback) -> Duration {
    let age = Duration::try_from(cx.clock.now() - stored.received_at).unwrap_or_default();
    retry_at(age).saturating_sub(age)
}

/// Applies a callback, and returns its outcome; `None` while the callback waits for Daraja's
/// confirmation.
async fn apply_to(
    cx: &Cx,
    stored: &StoredCallback,
    push: &Push,
    callback: Callback,
) -> Result<Option<&'static str>, Error> {
    if push.merchant_request_id.is_some()
        && push.merchant_request_id != callback.merchant_request_id
    {
        error!("a callback has another merchant request id than its push");
        return Ok(Some("another request"));
    }
    if !is_same_checkout(cx, push, &callback.checkout_request_id).await? {
        error!("a callback has another checkout request id than its push");
        return Ok(Some("another checkout"));
    }
    if callback.phone.as_ref().is_some_and(|phone| phone.digits() != push.msisdn) {
        error!("a callback has another phone than its push");
        return Ok(Some("another phone"));
    }
    let Some(evidence) = &callback.evidence else { return Ok(Some("unknown result code")) };
    if must_confirm(cx, push, &callback) {
        match cx.daraja.query(&callback.checkout_request_id).await {
            QueryResult::Paid => {}
            QueryResult::Refused(refusal) => {
                error!(code = refusal.code, "a callback says paid, and Daraja's query refused");
                return Ok(Some("not confirmed"));
            }
            QueryResult::Pending | QueryResult::Unknown | QueryResult::NotSent
                if cx.clock.now() - stored.received_at < CONFIRM_LIMIT =>
            {
                return Ok(None);
            }
            QueryResult::Pending | QueryResult::Unknown | QueryResult::NotSent => {
                error!("a callback says paid, and Daraja did not confirm it within a day");
                return Ok(Some("unconfirmed"));
            }
        }
    }
    Ok(Some(match settle(cx, push.payment, evidence, CALLBACK).await? {
        Settled::Applied => APPLIED,
        Settled::ReceiptUsed => "receipt already used",
        Settled::SecondReceipt => "second receipt",
        Settled::OtherAmount => "another amount",
    }))
}

/// Whether Daraja must confirm a callback before it credits a wallet, because callbacks are not
/// signed: if the amount is large, the callback lacks an item that Daraja sends, only callbacks
/// named the checkout, or no callback was expected any more.
fn must_confirm(cx: &Cx, push: &Push, callback: &Callback) -> bool {
    let Some(Evidence::Paid { receipt, amount, .. }) = &callback.evidence else { return false };
    receipt.is_none()
        || callback.phone.is_none()
        || amount.is_none_or(|amount| amount >= cx.confirm_from)
        || push.merchant_request_id.is_none()
        || matches!(push.state, State::Failed(_) | State::Expired)
        || cx.clock.now() - push.created_at > EXPECTED_AGE
}

/// Whether the callback is about our checkout. Where Daraja's reply to the push was lost, stores
/// the callback's id, so that the checkout can be queried.
async fn is_same_checkout(cx: &Cx, push: &Push, checkout: &str) -> Result<bool, Error> {
    if let Some(known) = &push.checkout_request_id {
        return Ok(known == checkout);
    }
    let mut conn = cx.db.acquire().await?;
    match store::stk_push::adopt_checkout(&mut conn, push.payment, checkout).await {
        Ok(stored) => Ok(stored.as_deref() == Some(checkout)),
        Err(error) if db::violated(&error) == Some("stk_push_checkout") => Ok(false),
        Err(error) => Err(error.into()),
    }
}
