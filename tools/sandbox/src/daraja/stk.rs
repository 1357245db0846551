//! The calls about STK: ask for money, and ask how that ended.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State as Held;
use axum::http::HeaderMap;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::judge::{self, Fields, StkRequest};
use super::refusal::Refusal;
use super::{ids, prompt, token};
use crate::clock;
use crate::config::{Merchant, PendingReply};
use crate::world::Shared;
use crate::world::handset::{Handset, Script, Stk};
use crate::world::payment::{Outcome, PATIENCE, Payment};
use crate::world::state::{Fact, MAX_PAYMENTS, State};

/// Most that M-Pesa moves at a time, in whole shillings.
const MOST: u64 = 250_000;
/// How long M-Pesa remembers a payment in order to refuse its repetition.
const REPEAT_WINDOW: Duration = Duration::minutes(2);
/// How long a reply is held back for a callback that should overtake it.
const OVERTAKING: std::time::Duration = std::time::Duration::from_secs(25);

/// `POST mpesa/stkpush/v1/processrequest`
pub(super) async fn process_request(
    Held(world): Held<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    token::check(&world, &headers)?;
    let fields = Fields::parse(&body)?;
    let now = clock::now();
    let payment = world
        .change(|state| accept(state, &world.merchant, &fields, now))
        .await
        .inspect_err(|refusal| tracing::info!(?refusal, "daraja.stk_push refused"))?;
    tracing::info!(
        merchant_request_id = payment.merchant_request_id,
        amount = payment.amount,
        script = ?payment.script.stk,
        "daraja.stk_push accepted"
    );
    prompt::ring(&world, &payment);
    if payment.script.disorder {
        let done = prompt::concluded(&world, &payment.checkout_request_id);
        // A callback that takes longer simply does not overtake.
        let _ = tokio::time::timeout(OVERTAKING, done).await;
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
    Held(world): Held<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    token::check(&world, &headers)?;
    let fields = Fields::parse(&body)?;
    world.read(|state| {
        judge::caller(&fields, &world.merchant, clock::now(), state.settings.clock_skew_ms)?;
        let id = fields.text("CheckoutRequestID")?;
        let payment = state.payment(&id).ok_or_else(|| Refusal::bad_field("CheckoutRequestID"))?;
        let (code, text) = match (&payment.settled, state.settings.pending_reply) {
            (Some(settled), _) => (settled.outcome.code(), settled.outcome.query_text()),
            (None, PendingReply::Error) => return Err(Refusal::still_processing()),
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

/// Judges a request against the world as it is, and opens its payment.
fn accept(
    state: &State,
    merchant: &Merchant,
    fields: &Fields,
    now: OffsetDateTime,
) -> Result<(Vec<Fact>, Payment), Refusal> {
    judge::caller(fields, merchant, now, state.settings.clock_skew_ms)?;
    let request = StkRequest::judge(fields)?;
    if state.payments().filter(|payment| payment.is_open()).count() >= MAX_PAYMENTS / 2 {
        return Err(Refusal::system_busy());
    }
    if state.line_holder(&request.msisdn).is_some() {
        return Err(Refusal::line_busy());
    }
    let mut handset = state.handset_or_new(&request.msisdn, now);
    if handset.script.stk == Stk::NoMpesa {
        return Err(Refusal::bad_field("PhoneNumber"));
    }
    handset.used_at = now;
    let refusal = refusal_of(state, &handset, &request, now);
    let payment = Payment {
        checkout_request_id: free_checkout_id(state, &request, now),
        merchant_request_id: ids::merchant_request_id(),
        msisdn: request.msisdn,
        amount: request.amount,
        transaction_type: request.transaction_type,
        party_b: request.party_b,
        account_reference: request.account_reference,
        callback_url: request.callback_url,
        requested_at: now,
        due_at: now + patience(&handset.script),
        script: handset.script.clone(),
        refusal,
        settled: None,
        callbacks_left: 0,
        deliveries: Vec::new(),
    };
    let facts = vec![Fact::Handset(Box::new(handset)), Fact::Payment(Box::new(payment.clone()))];
    Ok((facts, payment))
}

fn patience(script: &Script) -> Duration {
    match script.stk {
        Stk::Manual => PATIENCE,
        _ => Duration::milliseconds(script.delay_ms.min(Script::MAX_DELAY_MS).cast_signed()),
    }
}

/// What M-Pesa itself has against a payment that Daraja has accepted: told by
/// the callback, without a prompt.
fn refusal_of(
    state: &State,
    handset: &Handset,
    request: &StkRequest,
    now: OffsetDateTime,
) -> Option<Outcome> {
    if request.amount > MOST {
        return Some(Outcome::AboveMaximum);
    }
    let spent = handset.spent_on(clock::day_in_kenya(now));
    if spent.saturating_add(request.amount) > state.settings.daily_limit {
        return Some(Outcome::AboveDailyLimit);
    }
    let repeated = state.settings.repeat_guard
        && state.payments().rev().take_while(|p| now - p.requested_at < REPEAT_WINDOW).any(|p| {
            p.msisdn == request.msisdn
                && p.party_b == request.party_b
                && p.amount == request.amount
                && p.settled.as_ref().is_some_and(|settled| settled.outcome == Outcome::Paid)
        });
    repeated.then_some(Outcome::Repeated)
}

/// An id that is still free: two requests for one number within a millisecond
/// would share theirs.
fn free_checkout_id(state: &State, request: &StkRequest, now: OffsetDateTime) -> String {
    let mut at = now;
    loop {
        let id = ids::checkout_request_id(at, &request.msisdn);
        if state.payment(&id).is_none() {
            return id;
        }
        at += Duration::milliseconds(1);
    }
}
