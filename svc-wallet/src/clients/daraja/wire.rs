//! Daraja's messages, with Daraja's field names.

use reqwest::StatusCode;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use thiserror::Error;
use tracing::error;
use types::{Money, Msisdn};

use super::timestamp;
use crate::domain::{Evidence, Failure, MpesaResult, ProviderRefusal, ReversalResult};

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct PushRequest<'a> {
    pub(super) business_short_code: &'a str,
    pub(super) password: &'a str,
    pub(super) timestamp: &'a str,
    pub(super) transaction_type: &'a str,
    pub(super) amount: i64,
    pub(super) party_a: &'a str,
    pub(super) party_b: &'a str,
    pub(super) phone_number: &'a str,
    #[serde(rename = "CallBackURL")]
    pub(super) call_back_url: &'a str,
    pub(super) account_reference: &'a str,
    pub(super) transaction_desc: &'a str,
}

#[derive(Deserialize)]
pub(super) struct PushReply {
    #[serde(rename = "MerchantRequestID")]
    pub(super) merchant_request_id: String,
    #[serde(rename = "CheckoutRequestID")]
    pub(super) checkout_request_id: String,
    #[serde(rename = "ResponseCode", deserialize_with = "text")]
    pub(super) response_code: String,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct QueryRequest<'a> {
    pub(super) business_short_code: &'a str,
    pub(super) password: &'a str,
    pub(super) timestamp: &'a str,
    #[serde(rename = "CheckoutRequestID")]
    pub(super) checkout_request_id: &'a str,
}

#[derive(Deserialize)]
pub(super) struct QueryReply {
    #[serde(rename = "ResultCode", deserialize_with = "text")]
    pub(super) result_code: String,
}

#[derive(Deserialize)]
pub(super) struct TokenReply {
    pub(super) access_token: String,
    /// The lifetime in seconds; a number in Daraja's new documents, a string in older ones.
    #[serde(deserialize_with = "text")]
    pub(super) expires_in: String,
}

/// The body of an error reply.
#[derive(Default, Deserialize)]
pub(super) struct ApiError {
    #[serde(rename = "errorCode", default)]
    pub(super) code: String,
    #[serde(rename = "errorMessage", default)]
    pub(super) message: String,
}

impl ApiError {
    /// Whether the message contains `words`, in any case: one code has several messages.
    pub(super) fn message_contains(&self, words: &str) -> bool {
        self.message.to_lowercase().contains(&words.to_lowercase())
    }

    pub(super) fn is_stale_token(&self, status: StatusCode) -> bool {
        status == StatusCode::UNAUTHORIZED || self.code == "404.001.03"
    }

    /// Whether Daraja refused the call before carrying it out: too much traffic, or the quota is
    /// used up.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.code.as_str(), "500.003.02" | "500.003.03")
    }

    /// Whether Daraja refused the call by a rule, although the status is a server error's: the
    /// phone has another prompt, or the call was carried out before.
    pub(super) fn is_rule(&self) -> bool {
        self.message_contains("Unable to lock subscriber")
            || self.message_contains("Duplicate OriginatorConversationID")
            || ReversalResult::parse(&self.code) == ReversalResult::AlreadyReversed
    }

    /// Whether a query's prompt is still open.
    pub(super) fn is_still_processing(&self) -> bool {
        self.message_contains("being processed")
    }

    pub(super) fn is_misconfigured(&self) -> bool {
        self.message_contains("Merchant does not exist")
            || self.message_contains("Wrong credentials")
    }
}

/// Returns the refusal in a result code, if the code ends a payment.
pub(super) fn refusal(result: MpesaResult, code: &str) -> Option<ProviderRefusal> {
    let failure = match result {
        MpesaResult::Refused(failure) => failure,
        MpesaResult::Misconfigured => {
            error!(code, "M-Pesa refuses our set-up");
            Failure::ProviderError
        }
        MpesaResult::Unknown => {
            error!(code, "M-Pesa sent an undocumented result code");
            return None;
        }
        MpesaResult::Paid => return None,
    };
    Some(ProviderRefusal { failure, code: code.to_owned() })
}

/// The content of an STK callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Callback {
    /// Daraja's id of our request.
    pub(crate) merchant_request_id: Option<String>,
    /// Daraja's id of the checkout.
    pub(crate) checkout_request_id: String,
    /// The phone that paid; absent when it did not pay, or when the number is masked.
    pub(crate) phone: Option<Msisdn>,
    /// `None` when the result code is undocumented: query Daraja instead.
    pub(crate) evidence: Option<Evidence>,
}

/// The body is not a callback of its kind. The error has no cause, which could quote personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a callback of its kind")]
pub(crate) struct BadCallback;

/// Parses the body of an STK callback. Lenient where Daraja varies: codes come as numbers
/// or text, a failure has no metadata, an item may lack its value.
pub(crate) fn parse_callback(body: &[u8]) -> Result<Callback, BadCallback> {
    let envelope: CallbackBody = serde_json::from_slice(body).map_err(|_| BadCallback)?;
    let stk = envelope.body.stk_callback;
    let items = stk.metadata.map(|metadata| metadata.items).unwrap_or_default();
    let item = |name: &str| {
        let found = items.iter().find(|item| item.name == name)?;
        found.value.as_ref().and_then(plain)
    };
    let evidence = match MpesaResult::parse(&stk.result_code) {
        MpesaResult::Paid => Some(Evidence::Paid {
            receipt: item("MpesaReceiptNumber"),
            amount: match item("Amount") {
                // An amount that cannot be parsed must not count as a match.
                Some(text) => Some(positive(&text)?),
                None => None,
            },
            at: item("TransactionDate").as_deref().and_then(timestamp::parse),
        }),
        result => refusal(result, &stk.result_code).map(|refusal| Evidence::Refused { refusal }),
    };
    Ok(Callback {
        merchant_request_id: stk.merchant_request_id,
        checkout_request_id: stk.checkout_request_id,
        phone: item("PhoneNumber").and_then(|text| Msisdn::parse(&text).ok()),
        evidence,
    })
}

#[derive(Deserialize)]
struct CallbackBody {
    #[serde(rename = "Body")]
    body: Body,
}

#[derive(Deserialize)]
struct Body {
    #[serde(rename = "stkCallback")]
    stk_callback: StkCallback,
}

#[derive(Deserialize)]
struct StkCallback {
    #[serde(rename = "MerchantRequestID")]
    merchant_request_id: Option<String>,
    #[serde(rename = "CheckoutRequestID")]
    checkout_request_id: String,
    #[serde(rename = "ResultCode", deserialize_with = "text")]
    result_code: String,
    #[serde(rename = "CallbackMetadata")]
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "Item", default)]
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "Name")]
    name: String,
    #[serde(rename = "Value")]
    value: Option<Value>,
}

pub(super) fn positive(text: &str) -> Result<Money, BadCallback> {
    let amount = Money::parse(text).map_err(|_| BadCallback)?;
    if amount > Money::ZERO { Ok(amount) } else { Err(BadCallback) }
}

/// Returns the digits of a number or the text of a string; `None` for other values.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let value = Value::deserialize(deserializer)?;
    plain(&value).ok_or_else(|| serde::de::Error::custom("neither text nor a number"))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn parses_a_paid_callback_with_an_item_that_has_no_value() {
        let body =
            br#"{"Body":{"stkCallback":{"MerchantRequestID":"m","CheckoutRequestID":"ws_CO_1",
            "ResultCode":0,"ResultDesc":"ok","CallbackMetadata":{"Item":[
            {"Name":"Amount","Value":100.00},{"Name":"MpesaReceiptNumber","Value":"QKL1"},
            {"Name":"Balance"},{"Name":"TransactionDate","Value":20261121013005},
            {"Name":"PhoneNumber","Value":254712345678}]}}}}"#;
        let callback = parse_callback(body).unwrap();
        assert_eq!(callback.phone, Msisdn::parse("254712345678").ok());
        assert_eq!(
            callback.evidence,
            Some(Evidence::Paid {
                receipt: Some("QKL1".into()),
                amount: Some(Money::from_shillings(100)),
                at: Some(datetime!(2026-11-20 22:30:05 UTC)),
            })
        );
    }

    #[test]
    fn parses_a_refusal_without_metadata_whose_code_is_text() {
        let body =
            br#"{"Body":{"stkCallback":{"CheckoutRequestID":"ws_CO_1","ResultCode":"1032"}}}"#;
        let evidence = parse_callback(body).unwrap().evidence;
        let Some(Evidence::Refused { refusal }) = evidence else { panic!("{evidence:?}") };
        assert_eq!(refusal.failure, Failure::Cancelled);
    }

    #[test]
    fn an_undocumented_code_is_no_evidence() {
        let body = br#"{"Body":{"stkCallback":{"CheckoutRequestID":"ws_CO_1","ResultCode":4242}}}"#;
        assert_eq!(parse_callback(body).unwrap().evidence, None);
    }

    #[test]
    fn refuses_other_bodies_and_amounts_that_are_not_positive() {
        for body in [&b""[..], b"{}", b"[]", b"{\"Body\":{}}", b"\xff\xfe"] {
            assert!(parse_callback(body).is_err());
        }
        for amount in ["0", "-100", "1e9"] {
            let body = format!(
                r#"{{"Body":{{"stkCallback":{{"CheckoutRequestID":"c","ResultCode":0,
                "CallbackMetadata":{{"Item":[{{"Name":"Amount","Value":{amount}}}]}}}}}}}}"#
            );
            assert_eq!(parse_callback(body.as_bytes()).is_err(), amount != "1e9", "{amount}");
        }
    }
}
