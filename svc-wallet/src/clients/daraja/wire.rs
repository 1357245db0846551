//! Daraja's messages, spelt as Daraja spells them.

use reqwest::StatusCode;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use thiserror::Error;
use types::{Money, Msisdn};

use super::read_eat_timestamp;
use crate::domain::{Evidence, MpesaResult, Refusal};

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
    /// 3599; a number in new documents, a string in older ones.
    #[serde(deserialize_with = "text")]
    pub(super) expires_in: String,
}

/// How Daraja says that something is wrong with a request.
#[derive(Default, Deserialize)]
pub(super) struct ApiError {
    #[serde(rename = "errorCode", default)]
    pub(super) code: String,
    #[serde(rename = "errorMessage", default)]
    pub(super) message: String,
}

impl ApiError {
    /// Whether the text has these words: one code has several meanings.
    pub(super) fn says(&self, words: &str) -> bool {
        self.message.to_lowercase().contains(&words.to_lowercase())
    }

    pub(super) fn is_stale_token(&self, status: StatusCode) -> bool {
        status == StatusCode::UNAUTHORIZED || self.code == "404.001.03"
    }

    /// Turned away at the door: too much traffic, quota used up.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.code.as_str(), "500.003.02" | "500.003.03")
    }

    pub(super) fn is_misconfigured(&self) -> bool {
        self.says("Merchant does not exist") || self.says("Wrong credentials")
    }
}

impl MpesaResult {
    /// The no in a result, if it is one that ends a payment.
    pub(super) fn refusal(self, code: &str) -> Option<Refusal> {
        let failure = match self {
            Self::Refused(failure) => failure,
            Self::Misconfigured => {
                tracing::error!(code, "M-Pesa says that our set-up is wrong");
                crate::domain::Failure::Trouble
            }
            Self::Unknown => {
                tracing::error!(code, "a result code of M-Pesa's that nobody knows");
                return None;
            }
            Self::Paid => return None,
        };
        Some(Refusal { failure, code: code.to_owned() })
    }
}

/// What a callback told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// Daraja's name for our request.
    pub merchant_request_id: Option<String>,
    /// Daraja's name for the checkout.
    pub checkout_request_id: String,
    /// The phone that paid; absent when nobody did, or when it is masked.
    pub phone: Option<Msisdn>,
    /// `None` when the code is one that nobody knows: ask instead.
    pub evidence: Option<Evidence>,
}

/// A body that is no STK callback. It does not say why: the cause could quote the
/// body, which is a player's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not an STK callback")]
pub struct BadCallback;

/// Reads the body of an STK callback. Lenient where Daraja is loose: codes come
/// as numbers or text, metadata is absent on failure, an item may lack its value.
pub fn read_callback(body: &[u8]) -> Result<Callback, BadCallback> {
    let envelope: Envelope = serde_json::from_slice(body).map_err(|_| BadCallback)?;
    let stk = envelope.body.stk_callback;
    let items = stk.metadata.map(|metadata| metadata.items).unwrap_or_default();
    let item = |name: &str| {
        let found = items.iter().find(|item| item.name == name)?;
        found.value.as_ref().and_then(plain)
    };
    let evidence = match MpesaResult::of(&stk.result_code) {
        MpesaResult::Paid => Some(Evidence::Paid {
            receipt: item("MpesaReceiptNumber"),
            amount: match item("Amount") {
                // An amount that cannot be read must not be taken for a match.
                Some(text) => Some(positive(&text)?),
                None => None,
            },
            at: item("TransactionDate").as_deref().and_then(read_eat_timestamp),
        }),
        result => result.refusal(&stk.result_code).map(|refusal| Evidence::Refused { refusal }),
    };
    Ok(Callback {
        merchant_request_id: stk.merchant_request_id,
        checkout_request_id: stk.checkout_request_id,
        phone: item("PhoneNumber").and_then(|text| Msisdn::parse(&text).ok()),
        evidence,
    })
}

#[derive(Deserialize)]
struct Envelope {
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

fn positive(text: &str) -> Result<Money, BadCallback> {
    let amount = Money::parse(text).map_err(|_| BadCallback)?;
    if amount > Money::ZERO { Ok(amount) } else { Err(BadCallback) }
}

/// A number's digits or a string's text; nothing else.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let value = Value::deserialize(deserializer)?;
    plain(&value).ok_or_else(|| serde::de::Error::custom("neither text nor a number"))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;
    use crate::domain::Failure;

    #[test]
    fn a_paid_callback_is_read_with_its_quirks() {
        let body =
            br#"{"Body":{"stkCallback":{"MerchantRequestID":"m","CheckoutRequestID":"ws_CO_1",
            "ResultCode":0,"ResultDesc":"ok","CallbackMetadata":{"Item":[
            {"Name":"Amount","Value":100.00},{"Name":"MpesaReceiptNumber","Value":"QKL1"},
            {"Name":"Balance"},{"Name":"TransactionDate","Value":20261121013005},
            {"Name":"PhoneNumber","Value":254712345678}]}}}}"#;
        let callback = read_callback(body).unwrap();
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
    fn a_refusal_has_no_metadata_and_its_code_may_be_text() {
        let body =
            br#"{"Body":{"stkCallback":{"CheckoutRequestID":"ws_CO_1","ResultCode":"1032"}}}"#;
        let evidence = read_callback(body).unwrap().evidence;
        let Some(Evidence::Refused { refusal }) = evidence else { panic!("{evidence:?}") };
        assert_eq!(refusal.failure, Failure::Cancelled);
    }

    #[test]
    fn an_unknown_code_is_no_evidence() {
        let body = br#"{"Body":{"stkCallback":{"CheckoutRequestID":"ws_CO_1","ResultCode":4242}}}"#;
        assert_eq!(read_callback(body).unwrap().evidence, None);
    }

    #[test]
    fn what_is_no_callback_is_refused() {
        for body in [&b""[..], b"{}", b"[]", b"{\"Body\":{}}", b"\xff\xfe"] {
            assert!(read_callback(body).is_err());
        }
        for amount in ["0", "-100", "1e9"] {
            let body = format!(
                r#"{{"Body":{{"stkCallback":{{"CheckoutRequestID":"c","ResultCode":0,
                "CallbackMetadata":{{"Item":[{{"Name":"Amount","Value":{amount}}}]}}}}}}}}"#
            );
            assert_eq!(read_callback(body.as_bytes()).is_err(), amount != "1e9", "{amount}");
        }
    }
}
