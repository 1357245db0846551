//! Login, consent, charges and refunds.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::request::{self, Refusal, Request, notification, reply};
use crate::clock;
use crate::outgoing;
use crate::world::airtime::{Charge, Consent};
use crate::world::book::{Line, Side};
use crate::world::handset::Airtime;
use crate::world::msisdn::Msisdn;
use crate::world::outcome::Flow;
use crate::world::outgoing::Outgoing;
use crate::world::sms::Sms;
use crate::world::state::{Fact, Token, WorldState};
use crate::world::{Shared, World};

/// Lifetime of a token.
const LIFETIME: Duration = Duration::from_hours(1);

#[derive(Deserialize)]
struct Login {
    username: String,
    password: String,
}

/// `POST auth/login`
pub(super) async fn login(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let login: Login = serde_json::from_slice(&body).map_err(|_| Refusal::BadBody)?;
    let knows =
        login.username == world.carrier.username && login.password == world.carrier.password;
    if !knows || !headers.contains_key("X-Requested-With") {
        return Err(Refusal::Unauthorized);
    }
    let now = clock::now();
    // One token is valid until it expires, so that replicas do not revoke each other's.
    let token = world.update(|state| match &state.carrier_token {
        Some(token) if token.expires_at > now + LIFETIME / 2 => (Vec::new(), token.clone()),
        _ => {
            let value = hex::encode(rand::random::<[u8; 24]>());
            let token = Token { value, expires_at: now + LIFETIME };
            (vec![Fact::CarrierToken(token.clone())], token)
        }
    });
    Ok(Json(
        json!({ "msg": "Login successful", "token": token.value, "refreshToken": token.value }),
    ))
}

/// `POST public/SDP/activate`: the consent of a phone to an offer.
pub(super) async fn activate(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request = request::parse(&world, &headers, &body, "ACTIVATE")?;
    consent(&world, &request, true)
}

/// `POST public/SDP/deactivate`
pub(super) async fn deactivate(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request = request::parse(&world, &headers, &body, "DEACTIVATE")?;
    consent(&world, &request, false)
}

fn consent(world: &World, request: &Request, active: bool) -> Result<Json<Value>, Refusal> {
    let (msisdn, offer) = (request.msisdn()?, request.offer()?);
    let now = clock::now();
    let code = world.update(|state| {
        let mut handset = state.handset_or_new(&msisdn, now);
        handset.used_at = now;
        if handset.script.airtime == Airtime::NoConsent && active {
            return (vec![Fact::Handset(Box::new(handset))], DECLINED);
        }
        let consent = Consent { msisdn: msisdn.clone(), offer: offer.clone(), active, at: now };
        (vec![Fact::Handset(Box::new(handset)), Fact::Consent(consent)], SUCCESS)
    });
    Ok(reply(&request.id, &new_id(), now, code))
}

const SUCCESS: (&str, &str) = ("0000", "Success");
const DECLINED: (&str, &str) = ("1005", "Subscription declined by the subscriber");
const NOT_SUBSCRIBED: (&str, &str) = ("1002", "Subscriber is not subscribed to the offer");
const INSUFFICIENT: (&str, &str) = ("1001", "Insufficient airtime balance");
const REJECTED: (&str, &str) = ("1003", "Charging rejected: the subscriber is barred");
const ACCEPTED: (&str, &str) = ("0000", "Request accepted");
const INTERNAL: (&str, &str) = ("0843", "Internal error");
const DUPLICATE: (&str, &str) = ("1010", "Duplicate requestId");

/// `POST public/SDP/paymentRequest`: a charge. Its notification follows after the
/// script's `delayMs` and `callbackDelayMs`.
pub(super) async fn charge(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request = request::parse(&world, &headers, &body, "Payment")?;
    let (msisdn, offer, amount) = (request.msisdn()?, request.offer()?, request.amount()?);
    let now = clock::now();
    let response_id = new_id();
    let (code, ids) = world.update(|state| {
        if state.charges.iter().any(|charge| charge.request_id == request.id) {
            return (Vec::new(), (DUPLICATE, Vec::new()));
        }
        let mut handset = state.handset_or_new(&msisdn, now);
        handset.used_at = now;
        let (script, ordered) = state.scripted(&handset, Flow::Airtime, amount);
        let (now_code, end) = codes(state, script.airtime, &msisdn, &offer);
        let charge = Charge {
            request_id: request.id.clone(),
            response_id: response_id.clone(),
            msisdn: msisdn.clone(),
            offer: offer.clone(),
            amount,
            outcome: script.airtime,
            charged: end == SUCCESS,
            refunded: false,
            at: now,
        };
        let mut facts = Vec::new();
        if charge.charged {
            facts.push(Fact::Line(line(&charge, Side::Airtime, now)));
            let text = format!(
                "You have been charged Ksh{amount}.00 from your airtime for {} on {}.",
                world.merchant.name,
                clock::in_sms(now),
            );
            handset.receive(Sms { from: "Safaricom".into(), text, at: now });
        }
        let copies = if script.airtime.notifies() { script.callbacks } else { 0 };
        let wait = script.delay_ms + script.callback_delay_ms;
        let about = (&charge.msisdn, &*charge.offer, amount);
        let body = notification(&charge.request_id, &response_id, about, now, end);
        let url = format!("{}/{}", world.carrier.notify_url, world.carrier.notify_secret);
        let outgoing = || Outgoing {
            attempts_left: state.settings.webhook_attempts,
            retry_ms: state.settings.webhook_retry_ms,
            ..Outgoing::once(
                "airtime notification",
                &charge.request_id,
                &url,
                body.clone(),
                now + Duration::from_millis(wait),
            )
        };
        facts.extend((0..copies).map(|_| Fact::Outgoing(Box::new(outgoing()))));
        facts.push(Fact::Charge(Box::new(charge.clone())));
        facts.push(Fact::Handset(Box::new(handset)));
        facts.extend(ordered);
        let ids = outgoing::ids(&facts);
        (facts, (now_code, ids))
    });
    tracing::info!(request_id = request.id, code = code.0, "carrier.charge");
    outgoing::start(&world, ids);
    Ok(reply(&request.id, &response_id, now, code))
}

type Code = (&'static str, &'static str);

/// The code of the reply, and the code of the charge's end.
fn codes(state: &WorldState, outcome: Airtime, msisdn: &Msisdn, offer: &str) -> (Code, Code) {
    let is_subscribed =
        state.consents.iter().any(|c| c.msisdn == *msisdn && c.offer == offer && c.active);
    match outcome {
        _ if !is_subscribed => (NOT_SUBSCRIBED, NOT_SUBSCRIBED),
        Airtime::NotSubscribed | Airtime::NoConsent => (NOT_SUBSCRIBED, NOT_SUBSCRIBED),
        Airtime::Charged => (SUCCESS, SUCCESS),
        Airtime::Insufficient => (INSUFFICIENT, INSUFFICIENT),
        Airtime::Rejected => (REJECTED, REJECTED),
        Airtime::Later | Airtime::Silent => (ACCEPTED, SUCCESS),
        Airtime::LaterInsufficient => (ACCEPTED, INSUFFICIENT),
        Airtime::Error => (INTERNAL, SUCCESS),
    }
}

/// `POST public/SDP/refundRequest`: gives a charge back, once.
pub(super) async fn refund(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request = request::parse(&world, &headers, &body, "Refund")?;
    let original = request.original()?;
    let now = clock::now();
    let code = world.update(|state| {
        let known = state.charges.iter().find(|charge| charge.request_id == original);
        let Some(mut charge) = known.filter(|charge| charge.charged).cloned() else {
            return (Vec::new(), ("1020", "No such charge"));
        };
        if charge.refunded {
            return (Vec::new(), ("1021", "The charge has been refunded already"));
        }
        charge.refunded = true;
        let line = line(&charge, Side::AirtimeRefunds, now);
        (vec![Fact::Line(line), Fact::Charge(Box::new(charge))], SUCCESS)
    });
    Ok(reply(&request.id, &new_id(), now, code))
}

fn line(charge: &Charge, side: Side, at: OffsetDateTime) -> Line {
    Line {
        side,
        receipt: charge.response_id.clone(),
        reference: charge.request_id.clone(),
        party: charge.msisdn.to_string(),
        amount_cents: charge.amount * 100,
        charge_cents: 0,
        at,
    }
}

/// An id of the carrier: digits.
fn new_id() -> String {
    rand::random_range(10_000_000_000_000_000_000..u64::MAX).to_string()
}
