//! `POST version1/messaging`: one text to one or more numbers.

use std::collections::BTreeMap;

use axum::Form;
use axum::extract::State as Held;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use time::OffsetDateTime;

use super::parts;
use super::reply::{Recipient, Reply};
use crate::clock;
use crate::world::Shared;
use crate::world::handset::{Handset, Msisdn, Sms, SmsFate};
use crate::world::sms::Sent;
use crate::world::state::{Fact, State};

/// The sender of those who have registered none.
const SENDER: &str = "AFRICASTKNG";
/// Price of a part, in hundredths of a cent: `KES 0.8000`.
const PRICE: usize = 8_000;

/// The form, as far as it matters here; `bulkSMSMode`, `enqueue` and the other
/// fields change nothing that a caller could see.
#[derive(Deserialize)]
pub(super) struct Order {
    username: Option<String>,
    to: Option<String>,
    message: Option<String>,
    from: Option<String>,
}

/// An order in which nothing is missing.
struct Text {
    to: Vec<String>,
    message: String,
    from: String,
}

pub(super) async fn send(
    Held(world): Held<Shared>,
    headers: HeaderMap,
    order: Result<Form<Order>, FormRejection>,
) -> Response {
    let order = match order {
        Ok(Form(order)) => order,
        Err(rejection) => return (rejection.status(), rejection.body_text()).into_response(),
    };
    let key = headers.get("apiKey").and_then(|key| key.to_str().ok());
    let app = &world.sms;
    if key != Some(&app.api_key) || order.username.as_deref() != Some(&app.username) {
        let refusal = "The supplied authentication is invalid";
        return (StatusCode::UNAUTHORIZED, refusal).into_response();
    }
    let text = match Text::try_from(order) {
        Ok(text) => text,
        Err(missing) => {
            let refusal = format!("Request is missing required form field '{missing}'");
            return (StatusCode::BAD_REQUEST, refusal).into_response();
        }
    };
    let reply = world.update(|state| deliver(state, &text, clock::now())).await;
    reply.for_caller(&headers)
}

impl TryFrom<Order> for Text {
    type Error = &'static str;

    fn try_from(order: Order) -> Result<Self, Self::Error> {
        let given = |field: Option<String>| field.filter(|text| !text.is_empty());
        let to = given(order.to).ok_or("to")?;
        Ok(Self {
            to: to.split(',').map(|number| number.trim().to_owned()).collect(),
            message: given(order.message).ok_or("message")?,
            from: given(order.from).unwrap_or_else(|| SENDER.to_owned()),
        })
    }
}

fn deliver(state: &State, text: &Text, now: OffsetDateTime) -> (Vec<Fact>, Reply) {
    let parts = parts::count(&text.message);
    // Each handset once, so that two messages for one do not undo each other.
    let mut handsets: BTreeMap<Msisdn, Handset> = BTreeMap::new();
    let (mut arrived, mut recipients, mut accepted) = (Vec::new(), Vec::new(), 0);
    for number in &text.to {
        let fate = match addressee(number) {
            Ok(msisdn) => {
                let handset = handsets
                    .entry(msisdn.clone())
                    .or_insert_with(|| state.handset_or_new(&msisdn, now));
                handset.used_at = now;
                if matches!(handset.script.sms, SmsFate::Delivered | SmsFate::Queued) {
                    let (from, text) = (text.from.clone(), text.message.clone());
                    handset.receive(Sms { from: from.clone(), text: text.clone(), at: now });
                    arrived.push(Sent { to: msisdn, from, text, at: now });
                }
                handset.script.sms
            }
            Err(fate) => fate,
        };
        let Some((code, status)) = verdict(fate) else {
            continue;
        };
        let good = code <= 102;
        accepted += usize::from(good);
        recipients.push(Recipient {
            status_code: code,
            number: number.clone(),
            status,
            cost: if good { kes(parts * PRICE) } else { "0".to_owned() },
            message_id: if good { message_id() } else { "None".to_owned() },
        });
    }
    tracing::info!(recipients = text.to.len(), accepted, parts, "sms.messaging");
    let message = if recipients.is_empty() {
        "InvalidSenderId".to_owned()
    } else {
        let cost = kes(accepted * parts * PRICE);
        format!("Sent to {accepted}/{} Total Cost: {cost}", text.to.len())
    };
    let facts = handsets.into_values().map(Box::new).map(Fact::Handset);
    (facts.chain(arrived.into_iter().map(Fact::Sms)).collect(), Reply::new(message, recipients))
}

/// The handset of a number in the international form, or why there is none.
fn addressee(number: &str) -> Result<Msisdn, SmsFate> {
    let digits = number.strip_prefix('+').ok_or(SmsFate::InvalidNumber)?;
    if digits.len() < 7 || digits.len() > 15 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SmsFate::InvalidNumber);
    }
    Msisdn::strict(digits).ok_or(SmsFate::Unsupported)
}

/// `statusCode` and `status` of a recipient; none: it is not even listed.
fn verdict(fate: SmsFate) -> Option<(u16, &'static str)> {
    Some(match fate {
        SmsFate::Delivered | SmsFate::Lost => (101, "Success"),
        SmsFate::Queued => (102, "Queued"),
        SmsFate::RiskHold => (401, "RiskHold"),
        SmsFate::InvalidSender => (402, "InvalidSenderId"),
        SmsFate::InvalidNumber => (403, "InvalidPhoneNumber"),
        SmsFate::Unsupported => (404, "UnsupportedNumberType"),
        SmsFate::NoBalance => (405, "InsufficientBalance"),
        SmsFate::Blacklisted => (406, "UserInBlacklist"),
        SmsFate::NoRoute => (407, "CouldNotRoute"),
        SmsFate::DoNotDisturb => (409, "DoNotDisturbRejection"),
        SmsFate::Failed => (500, "InternalServerError"),
        SmsFate::GatewayError => (501, "GatewayError"),
        SmsFate::Rejected => (502, "RejectedByGateway"),
        SmsFate::Empty => return None,
    })
}

fn kes(amount: usize) -> String {
    format!("KES {}.{:04}", amount / 10_000, amount % 10_000)
}

fn message_id() -> String {
    format!("ATXid_{:032x}", rand::random::<u128>())
}
