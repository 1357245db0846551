//! The carrier's messages, with its field names.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use time::OffsetDateTime;
use types::{ExposeSecret as _, Money, Msisdn};

use crate::{config::CarrierArgs, domain::ChargeResult};

#[derive(Serialize)]
pub(super) struct Login<'a> {
    pub(super) username: &'a str,
    pub(super) password: &'a str,
}

#[derive(Deserialize)]
pub(super) struct Token {
    pub(super) token: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Charge<'a> {
    request_id: &'a str,
    channel: &'a str,
    operation: &'a str,
    request_param: RequestParam,
}

#[derive(Serialize)]
struct RequestParam {
    data: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    name: &'static str,
    value: String,
}

/// Builds a request about a phone and our offer.
pub(super) fn request<'a>(
    args: &CarrierArgs,
    operation: &'a str,
    request_id: &'a str,
    phone: &Msisdn,
    amount: Option<Money>,
) -> Charge<'a> {
    let mut data = vec![
        Item { name: "OfferCode", value: args.carrier_offer_code.clone() },
        Item { name: "Msisdn", value: phone.digits().to_owned() },
        Item { name: "Language", value: "1".to_owned() },
        Item { name: "CpId", value: args.carrier_cp_id.expose_secret().to_owned() },
    ];
    // The amount is in whole shillings: the caller has refused others.
    let shillings = amount.and_then(Money::whole_shillings);
    data.extend(shillings.map(|value| Item { name: "ChargeAmount", value: value.to_string() }));
    Charge { request_id, channel: "APIGW", operation, request_param: RequestParam { data } }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reply {
    #[serde(default)]
    response_id: Option<Value>,
    response_param: ResponseParam,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseParam {
    #[serde(default)]
    status_code: Option<Value>,
    #[serde(default)]
    description: Option<String>,
}

impl Reply {
    /// Returns what the reply says. A code that is neither a success nor known to rule a charge out
    /// is unknown.
    pub(super) fn result(&self, now: OffsetDateTime) -> ChargeResult {
        let code = self.response_param.status_code.as_ref().and_then(plain).unwrap_or_default();
        let description = self.response_param.description.clone().unwrap_or_default();
        if is_success(&code) {
            if is_under_way(&description) {
                return ChargeResult::Pending;
            }
            let receipt = self.response_id.as_ref().and_then(plain);
            return ChargeResult::Charged { receipt, amount: None, at: Some(now) };
        }
        ChargeResult::refused(&code, &description).unwrap_or(ChargeResult::Unknown)
    }
}

/// What a notification says about a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    /// Our id of the charge.
    pub(crate) request_id: String,
    pub(crate) phone: Option<Msisdn>,
    pub(crate) result: ChargeResult,
}

/// The body is not a notification. The error has no cause, which could quote personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a notification of the carrier")]
pub(crate) struct BadNotification;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NotificationBody {
    request_id: Value,
    operation: String,
    request_param: NotifiedParam,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NotifiedParam {
    #[serde(default)]
    data: Vec<NotifiedItem>,
    #[serde(default)]
    additional_data: Vec<NotifiedItem>,
}

#[derive(Deserialize)]
struct NotifiedItem {
    name: String,
    #[serde(default)]
    value: Option<Value>,
}

/// Parses the body of a notification. Lenient where the carrier varies: names in any case, values
/// as text or numbers.
pub(crate) fn parse_notification(
    body: &[u8],
    now: OffsetDateTime,
) -> Result<Notification, BadNotification> {
    let envelope: NotificationBody = serde_json::from_slice(body).map_err(|_| BadNotification)?;
    if envelope.operation != "CP_NOTIFICATION" {
        return Err(BadNotification);
    }
    let param = envelope.request_param;
    let items: Vec<NotifiedItem> = param.data.into_iter().chain(param.additional_data).collect();
    let item = |names: &[&str]| {
        let named =
            |item: &&NotifiedItem| names.iter().any(|name| item.name.eq_ignore_ascii_case(name));
        items.iter().filter(named).find_map(|item| item.value.as_ref().and_then(plain))
    };
    let request_id = item(&["ClientTransactionId", "OriginalRequestId"])
        .or_else(|| plain(&envelope.request_id))
        .ok_or(BadNotification)?;
    let code = item(&["statusCode", "resultCode"]).unwrap_or_default();
    let description =
        item(&["statusDescription", "description", "reason", "status"]).unwrap_or_default();
    let result = if is_success(&code) && !is_under_way(&description) {
        ChargeResult::Charged {
            receipt: item(&["TransactionId", "BillingId"]),
            // An amount that cannot be parsed must not count as a match.
            amount: match item(&["ChargeAmount", "Amount"]) {
                Some(text) => Some(positive(&text)?),
                None => None,
            },
            at: Some(now),
        }
    } else if is_success(&code) {
        ChargeResult::Pending
    } else {
        ChargeResult::refused(&code, &description).unwrap_or(ChargeResult::Unknown)
    };
    let phone = item(&["Msisdn"]).and_then(|text| Msisdn::parse(&text).ok());
    Ok(Notification { request_id, phone, result })
}

fn positive(text: &str) -> Result<Money, BadNotification> {
    let amount = Money::parse(text).map_err(|_| BadNotification)?;
    if amount > Money::ZERO { Ok(amount) } else { Err(BadNotification) }
}

fn is_success(code: &str) -> bool {
    matches!(code, "0" | "0000" | "SC0000")
}

/// Whether a success only means that the carrier is processing the request.
fn is_under_way(description: &str) -> bool {
    let words = description.to_lowercase();
    ["accepted", "pending", "processing", "queued", "in progress"]
        .iter()
        .any(|word| words.contains(word))
}

/// Returns the digits of a number or the text of a string; `None` for other values.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(code: &str, description: &str) -> ChargeResult {
        let reply: Reply = serde_json::from_value(serde_json::json!({
            "requestId": "r", "responseId": "10189519182688287792", "responseTimeStamp": "x",
            "responseParam": {"status": "1", "statusCode": code, "description": description},
        }))
        .unwrap();
        reply.result(OffsetDateTime::UNIX_EPOCH)
    }

    #[test]
    fn only_a_code_of_success_is_a_charge() {
        for code in ["0", "0000", "SC0000"] {
            assert!(matches!(reply(code, "Success"), ChargeResult::Charged { .. }), "{code}");
            assert_eq!(reply(code, "Request accepted"), ChargeResult::Pending, "{code}");
        }
        assert!(matches!(reply("1001", "Insufficient airtime"), ChargeResult::Refused(_)));
        for code in ["", "1", "0843", "SC0001"] {
            assert_eq!(reply(code, "Something"), ChargeResult::Unknown, "{code}");
        }
    }

    #[test]
    fn parses_a_notification_with_values_of_either_kind() {
        let body = br#"{"requestId":"x","operation":"CP_NOTIFICATION","requestParam":{
            "data":[{"name":"ClientTransactionId","value":"our-id"},
                    {"name":"Msisdn","value":254712345678},{"name":"ChargeAmount","value":"10"},
                    {"name":"TransactionId","value":"77"},{"name":"statusCode","value":"0000"}],
            "additionalData":[]}}"#;
        let parsed = parse_notification(body, OffsetDateTime::UNIX_EPOCH).unwrap();
        assert_eq!(parsed.request_id, "our-id");
        assert_eq!(parsed.phone, Msisdn::parse("254712345678").ok());
        let ChargeResult::Charged { receipt, amount, .. } = parsed.result else { panic!() };
        assert_eq!((receipt.as_deref(), amount), (Some("77"), Some(Money::from_shillings(10))));
        for body in [&b""[..], b"{}", br#"{"requestId":"x","operation":"OTHER","requestParam":{}}"#]
        {
            assert!(parse_notification(body, OffsetDateTime::UNIX_EPOCH).is_err());
        }
    }
}
