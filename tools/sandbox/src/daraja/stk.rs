//! The STK calls: the request to pay and the query of its outcome.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::limits::{MAX_AMOUNT, MAX_REPLY_DELAY};
use super::refusal::Refusal;
use super::validate::{self, Fields, StkRequest};
use super::{ids, prompt, token};
use crate::clock;
use crate::config::{Merchant, PendingReply};
use crate::world::Shared;
use crate::world::handset::{Handset, Stk};
use crate::world::outcome::Flow;
use crate::world::payment::{Outcome, Payment};
use crate::world::state::{Fact, MAX_PAYMENTS, WorldState};

/// How long M-Pesa remembers a payment in order to refuse its repetition.
const REPEAT_WINDOW: Duration = Duration::minutes(2);

/// `POST mpesa/stkpush/v1/processrequest`
pub(super) async fn process_request(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    token::check(&world, &headers)?;
    let fields = Fields::parse(&body)?;
    let now = clock::now();
    let payment = world
        .change(|state| accept(state, &world.merchant, &fields, now))
        .inspect_err(|refusal| tracing::info!(?refusal, "daraja.stk_push refused"))?;
    tracing::info!(
        merchant_request_id = payment.merchant_request_id,
        amount = payment.amount,
        script = ?payment.script.stk,
        "daraja.stk_push accepted"
    );
    prompt::start(&world, &payment);
    if payment.script.disorder {
        let concluded = prompt::wait_until_concluded(&world, &payment.checkout_request_id);
        // After a timeout the reply is sent before the callback.
        let _ = tokio::time::timeout(MAX_REPLY_DELAY, concluded).await;
    }
    Ok(Json(json!({
        "MerchantRequestID": payment.merchant_request_id,
        "CheckoutRequestID": payment.checkout_request_id,
        "ResponseCode": "0",
        "ResponseDescription": "Success. Request accepted for processing",
        "CustomerMessage": "Success. Request accepted for processing",
    })))
}

/// `POST mpesa/stkpushquery/v1/query`
pub(super) async fn query(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    token::check(&world, &headers)?;
    let fields = Fields::parse(&body)?;
    world.read(|state| {
        let skew = state.settings.clock_skew_ms;
        validate::authenticate(&fields, &world.merchant, clock::now(), skew)?;
        let id = fields.text("CheckoutRequestID")?;
        let payment = state.payment(&id).ok_or(Refusal::BadField("CheckoutRequestID"))?;
        let (code, text) = match (&payment.settled, state.settings.pending_reply) {
            (Some(settled), _) => settled.outcome.result(),
            (None, PendingReply::Error) => return Err(Refusal::StillProcessing),
            (None, PendingReply::Code4999) => (4999, "The transaction is still under processing"),
        };
        Ok(Json(json!({
            // Three s, as on the wire.
            "ResponseDescription": "The service request has been accepted successsfully",
            "ResponseCode": "0",
            "MerchantRequestID": payment.merchant_request_id,
            "CheckoutRequestID": payment.checkout_request_id,
            "ResultCode": code.to_string(),
            "ResultDesc": text,
        })))
    })
}

/// Validates a request and opens its payment.
fn accept(
    state: &WorldState,
    merchant: &Merchant,
    fields: &Fields,
    now: OffsetDateTime,
) -> Result<(Vec<Fact>, Payment), Refusal> {
    validate::authenticate(fields, merchant, now, state.settings.clock_skew_ms)?;
    let request = StkRequest::parse(fields)?;
    if state.payments.iter().filter(|payment| payment.is_open()).count() >= MAX_PAYMENTS / 2 {
        return Err(Refusal::SystemBusy);
    }
    if state.open_payment(&request.msisdn).is_some() {
        return Err(Refusal::SubscriberLocked);
    }
    let mut handset = state.handset_or_new(&request.msisdn, now);
    let (script, ordered) = state.scripted(&handset, Flow::Stk, request.amount);
    if script.stk == Stk::NoMpesa && ordered.is_none() {
        return Err(Refusal::BadField("PhoneNumber"));
    }
    handset.used_at = now;
    let refusal = limit_exceeded(state, &handset, &request, now);
    let wait = match script.stk {
        Stk::Manual => prompt::TIMEOUT,
        _ => std::time::Duration::from_millis(script.delay_ms),
    };
    let payment = Payment {
        checkout_request_id: unused_checkout_id(state, &request, now),
        merchant_request_id: ids::merchant_request_id(),
        msisdn: request.msisdn,
        amount: request.amount,
        transaction_type: request.transaction_type,
        party_b: request.party_b,
        account_reference: request.account_reference,
        callback_url: request.callback_url,
        requested_at: now,
        due_at: now + wait,
        script,
        refusal,
        settled: None,
        callbacks_left: 0,
        deliveries: Vec::new(),
    };
    let mut facts =
        vec![Fact::Handset(Box::new(handset)), Fact::Payment(Box::new(payment.clone()))];
    facts.extend(ordered);
    Ok((facts, payment))
}

/// The limit of M-Pesa that refuses a payment after Daraja has accepted it; the
/// callback reports it without a prompt.
fn limit_exceeded(
    state: &WorldState,
    handset: &Handset,
    request: &StkRequest,
    now: OffsetDateTime,
) -> Option<Outcome> {
    if request.amount > MAX_AMOUNT {
        return Some(Outcome::AboveMaximum);
    }
    let spent = handset.spent_on(clock::day_in_kenya(now));
    if spent.saturating_add(request.amount) > state.settings.daily_limit {
        return Some(Outcome::AboveDailyLimit);
    }
    let mut recent =
        state.payments.iter().rev().take_while(|p| now - p.requested_at < REPEAT_WINDOW);
    let repeated = state.settings.repeat_guard
        && recent.any(|p| {
            p.msisdn == request.msisdn
                && p.party_b == request.party_b
                && p.amount == request.amount
                && p.settled.as_ref().is_some_and(|settled| settled.outcome == Outcome::Paid)
        });
    repeated.then_some(Outcome::Repeated)
}

/// An unused id: two requests for one number within a millisecond would share an id.
fn unused_checkout_id(state: &WorldState, request: &StkRequest, now: OffsetDateTime) -> String {
    let mut at = now;
    loop {
        let id = ids::checkout_request_id(at, &request.msisdn);
        if state.payment(&id).is_none() {
            return id;
        }
        at += Duration::milliseconds(1);
    }
}
