//! The carrier's requests and replies.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::clock;
use crate::world::World;
use crate::world::msisdn::Msisdn;

/// A request about a phone and an offer.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    #[serde(rename = "requestId")]
    pub(super) id: String,
    channel: String,
    operation: String,
    #[serde(rename = "requestParam")]
    param: Param,
}

#[derive(Debug, Deserialize)]
struct Param {
    data: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    name: String,
    value: Value,
}

impl Request {
    fn item(&self, name: &str) -> Option<String> {
        let item = self.param.data.iter().find(|item| item.name == name)?;
        match &item.value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    pub(super) fn msisdn(&self) -> Result<Msisdn, Refusal> {
        let text = self.item("Msisdn").ok_or(Refusal::Missing("Msisdn"))?;
        Msisdn::strict(&text).ok_or(Refusal::Missing("Msisdn"))
    }

    pub(super) fn offer(&self) -> Result<String, Refusal> {
        self.item("OfferCode").ok_or(Refusal::Missing("OfferCode"))
    }

    /// The amount in whole shillings.
    pub(super) fn amount(&self) -> Result<u64, Refusal> {
        let text = self.item("ChargeAmount").ok_or(Refusal::Missing("ChargeAmount"))?;
        text.parse().ok().filter(|amount| *amount > 0).ok_or(Refusal::Missing("ChargeAmount"))
    }

    /// The charge that a refund is about.
    pub(super) fn original(&self) -> Result<String, Refusal> {
        self.item("OriginalRequestId").ok_or(Refusal::Missing("OriginalRequestId"))
    }
}

/// A request that is refused as such.
#[derive(Debug)]
pub(super) enum Refusal {
    Unauthorized,
    BadBody,
    Missing(&'static str),
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::Unauthorized => {
                let body = json!({ "status": 401, "message": "Token has expired or is invalid" });
                (StatusCode::UNAUTHORIZED, Json(body)).into_response()
            }
            Self::BadBody => (StatusCode::BAD_REQUEST, "Bad Request").into_response(),
            Self::Missing(name) => {
                (StatusCode::BAD_REQUEST, format!("Missing or invalid {name}")).into_response()
            }
        }
    }
}

/// Checks the token and parses a request for one of these operations.
pub(super) fn parse(
    world: &World,
    headers: &HeaderMap,
    body: &[u8],
    operation: &str,
) -> Result<Request, Refusal> {
    let given = headers.get("X-Authorization").and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer "));
    let is_valid = world.read(|state| {
        let token = state.carrier_token.as_ref().filter(|token| token.expires_at > clock::now());
        token.is_some_and(|token| Some(&*token.value) == given)
    });
    if !is_valid {
        return Err(Refusal::Unauthorized);
    }
    let request: Request = serde_json::from_slice(body).map_err(|_| Refusal::BadBody)?;
    let own = request.item("CpId").is_some_and(|id| id == world.carrier.cp_id);
    if !own {
        return Err(Refusal::Missing("CpId"));
    }
    if !matches!(&*request.channel, "APIGW" | "SMS") {
        return Err(Refusal::Missing("channel"));
    }
    if !request.operation.eq_ignore_ascii_case(operation) || request.id.is_empty() {
        return Err(Refusal::Missing("operation"));
    }
    Ok(request)
}

/// A reply: `0000` is success, other codes differ by offer and say why in words.
pub(super) fn reply(
    request_id: &str,
    response_id: &str,
    at: OffsetDateTime,
    (code, text): (&str, &str),
) -> Json<Value> {
    Json(json!({
        "requestId": request_id,
        "responseId": response_id,
        "responseTimeStamp": clock::compact(at),
        "channel": "APIGW",
        "responseParam": {
            "status": if code == "0000" { "0" } else { "1" },
            "statusCode": code,
            "description": text,
        },
    }))
}

/// The body of a notification about a charge.
pub(super) fn notification(
    request_id: &str,
    response_id: &str,
    (msisdn, offer, amount): (&Msisdn, &str, u64),
    at: OffsetDateTime,
    (code, text): (&str, &str),
) -> String {
    let item = |name: &str, value: &str| json!({ "name": name, "value": value });
    json!({
        "requestId": response_id,
        "requestTimeStamp": clock::compact(at),
        "channel": "APIGW",
        "operation": "CP_NOTIFICATION",
        "requestParam": {
            "data": [
                item("Msisdn", &msisdn.to_string()),
                item("OfferCode", offer),
                item("ChargeAmount", &amount.to_string()),
                item("ClientTransactionId", request_id),
                item("TransactionId", response_id),
                item("statusCode", code),
            ],
            "additionalData": [item("statusDescription", text), item("Language", "1")],
        },
    })
    .to_string()
}
