//! `POST version1/messaging`: one text to one or more numbers.

use std::collections::BTreeMap;

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use time::OffsetDateTime;

use super::parts;
use super::reply::{Recipient, Reply};
use crate::clock;
use crate::world::Shared;
use crate::world::handset::{Handset, SmsOutcome};
use crate::world::msisdn::Msisdn;
use crate::world::sms::{SentSms, Sms};
use crate::world::state::{Fact, WorldState};

/// The sender of an application without a registered one.
const DEFAULT_SENDER: &str = "AFRICASTKNG";
/// Price of a part, in hundredths of a cent: `KES 0.8000`.
const PRICE: usize = 8_000;

/// The form. Other fields, such as `bulkSMSMode`, change nothing in the reply.
#[derive(Deserialize)]
pub(super) struct Request {
    username: Option<String>,
    #[serde(default)]
    to: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    from: String,
}

pub(super) async fn send(
    State(world): State<Shared>,
    headers: HeaderMap,
    request: Result<Form<Request>, FormRejection>,
) -> Response {
    let mut request = match request {
        Ok(Form(request)) => request,
        Err(rejection) => return (rejection.status(), rejection.body_text()).into_response(),
    };
    let key = headers.get("apiKey").and_then(|key| key.to_str().ok());
    let app = &world.sms;
    if key != Some(&app.api_key) || request.username.as_deref() != Some(&app.username) {
        let refusal = "The supplied authentication is invalid";
        return (StatusCode::UNAUTHORIZED, refusal).into_response();
    }
    for (field, value) in [("to", &request.to), ("message", &request.message)] {
        if value.is_empty() {
            let refusal = format!("Request is missing required form field '{field}'");
            return (StatusCode::BAD_REQUEST, refusal).into_response();
        }
    }
    if request.from.is_empty() {
        DEFAULT_SENDER.clone_into(&mut request.from);
    }
    let reply = world.update(|state| deliver(state, &request, clock::now()));
    reply.negotiate(&headers)
}

fn deliver(state: &WorldState, request: &Request, now: OffsetDateTime) -> (Vec<Fact>, Reply) {
    let parts = parts::count(&request.message);
    // Handsets are collected by number, so that two messages to one handset both arrive.
    let mut handsets: BTreeMap<Msisdn, Handset> = BTreeMap::new();
    let (mut sent, mut recipients, mut accepted) = (Vec::new(), Vec::new(), 0);
    let numbers: Vec<&str> = request.to.split(',').map(str::trim).collect();
    for number in &numbers {
        let outcome = match addressee(number) {
            Ok(msisdn) => {
                let handset = handsets
                    .entry(msisdn.clone())
                    .or_insert_with(|| state.handset_or_new(&msisdn, now));
                handset.used_at = now;
                if matches!(handset.script.sms, SmsOutcome::Delivered | SmsOutcome::Queued) {
                    let (from, text) = (request.from.clone(), request.message.clone());
                    let sms = Sms { from, text, at: now };
                    handset.receive(sms.clone());
                    sent.push(Fact::Sms(SentSms { to: msisdn, sms }));
                }
                handset.script.sms
            }
            Err(outcome) => outcome,
        };
        let Some((code, status)) = status(outcome) else {
            continue;
        };
        let success = code <= 102;
        accepted += usize::from(success);
        recipients.push(Recipient {
            status_code: code,
            number: (*number).to_owned(),
            status,
            cost: if success { kes(parts * PRICE) } else { "0".to_owned() },
            message_id: if success { message_id() } else { "None".to_owned() },
        });
    }
    tracing::info!(recipients = numbers.len(), accepted, parts, "sms.messaging");
    let message = if recipients.is_empty() {
        "InvalidSenderId".to_owned()
    } else {
        let cost = kes(accepted * parts * PRICE);
        format!("Sent to {accepted}/{} Total Cost: {cost}", numbers.len())
    };
    let facts = handsets.into_values().map(Box::new).map(Fact::Handset);
    (facts.chain(sent).collect(), Reply::new(message, recipients))
}

/// The handset of a number in the international format, or why there is none.
fn addressee(number: &str) -> Result<Msisdn, SmsOutcome> {
    let digits = number.strip_prefix('+').ok_or(SmsOutcome::InvalidNumber)?;
    if digits.len() < 7 || digits.len() > 15 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SmsOutcome::InvalidNumber);
    }
    Msisdn::strict(digits).ok_or(SmsOutcome::Unsupported)
}

/// `statusCode` and `status` of a recipient; `None` if the reply does not list it.
fn status(outcome: SmsOutcome) -> Option<(u16, &'static str)> {
    Some(match outcome {
        SmsOutcome::Delivered | SmsOutcome::Lost => (101, "Success"),
        SmsOutcome::Queued => (102, "Queued"),
        SmsOutcome::RiskHold => (401, "RiskHold"),
        SmsOutcome::InvalidSender => (402, "InvalidSenderId"),
        SmsOutcome::InvalidNumber => (403, "InvalidPhoneNumber"),
        SmsOutcome::Unsupported => (404, "UnsupportedNumberType"),
        SmsOutcome::NoBalance => (405, "InsufficientBalance"),
        SmsOutcome::Blacklisted => (406, "UserInBlacklist"),
        SmsOutcome::NoRoute => (407, "CouldNotRoute"),
        SmsOutcome::DoNotDisturb => (409, "DoNotDisturbRejection"),
        SmsOutcome::Failed => (500, "InternalServerError"),
        SmsOutcome::GatewayError => (501, "GatewayError"),
        SmsOutcome::Rejected => (502, "RejectedByGateway"),
        SmsOutcome::Empty => return None,
    })
}

fn kes(amount: usize) -> String {
    format!("KES {}.{:04}", amount / 10_000, amount % 10_000)
}

fn message_id() -> String {
    format!("ATXid_{}", hex::encode(rand::random::<[u8; 16]>()))
}
