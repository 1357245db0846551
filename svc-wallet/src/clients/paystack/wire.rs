//! Paystack's messages, with Paystack's field names. Amounts are in cents.

use reqwest::StatusCode;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use time::{OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339};
use types::Money;

use super::refund_state::{self, RefundState};
use crate::domain::{CardStatus, CardTransaction};

#[derive(Serialize)]
pub(super) struct InitializeRequest<'a> {
    pub(super) email: &'a str,
    pub(super) amount: i64,
    pub(super) currency: &'a str,
    pub(super) reference: &'a str,
    pub(super) channels: [&'a str; 1],
    pub(super) callback_url: &'a str,
    pub(super) metadata: Metadata<'a>,
}

#[derive(Serialize)]
pub(super) struct Metadata<'a> {
    /// The URL that the page's Cancel button opens.
    pub(super) cancel_action: &'a str,
}

#[derive(Serialize)]
pub(super) struct RefundRequest<'a> {
    pub(super) transaction: &'a str,
    pub(super) amount: i64,
    pub(super) currency: &'a str,
    pub(super) merchant_note: &'a str,
}

#[derive(Deserialize)]
pub(super) struct ReplyBody<T> {
    /// Says only that the call worked.
    pub(super) status: bool,
    pub(super) data: Option<T>,
}

/// The body of an error reply.
#[derive(Default, Deserialize)]
pub(super) struct ApiError {
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) code: String,
}

impl ApiError {
    pub(super) fn is_duplicate(&self) -> bool {
        self.code == "duplicate_reference" || self.message.to_lowercase().contains("duplicate")
    }

    /// Whether the error says that Paystack has no such transaction: it replies 400 or 404.
    pub(super) fn is_not_found(&self, status: StatusCode) -> bool {
        status == StatusCode::NOT_FOUND
            || self.code == "transaction_not_found"
            || self.message.to_lowercase().contains("not found")
    }
}

#[derive(Deserialize)]
pub(super) struct Initialized {
    pub(super) authorization_url: String,
    pub(super) reference: String,
}

#[derive(Deserialize)]
pub(super) struct Transaction {
    #[serde(deserialize_with = "text")]
    id: String,
    reference: String,
    status: String,
    amount: Value,
    currency: String,
    #[serde(default)]
    domain: String,
    #[serde(default)]
    paid_at: Option<String>,
    #[serde(default)]
    fees: Option<Value>,
}

impl Transaction {
    /// Parses a transaction. `None` when its amount cannot be parsed: then it is no evidence.
    pub(super) fn parse(self) -> Option<CardTransaction> {
        Some(CardTransaction {
            status: match self.status.as_str() {
                "success" => CardStatus::Success,
                "failed" => CardStatus::Failed,
                "reversed" => CardStatus::Reversed,
                _ => CardStatus::Open,
            },
            amount: cents(&self.amount)?,
            is_live: self.domain == "live",
            paid_at: self.paid_at.as_deref().and_then(parse_time),
            fees: self.fees.as_ref().and_then(cents),
            id: self.id,
            reference: self.reference,
            status_text: self.status.chars().take(32).collect(),
            currency: self.currency,
        })
    }
}

#[derive(Deserialize)]
pub(super) struct Refund {
    #[serde(deserialize_with = "text")]
    id: String,
    status: String,
    amount: Value,
    #[serde(default)]
    merchant_note: Option<String>,
}

impl Refund {
    pub(super) fn parse(self) -> Option<refund_state::Refund> {
        Some(refund_state::Refund {
            state: refund_state(&self.status),
            amount: cents(&self.amount)?,
            id: self.id,
            note: self.merchant_note,
        })
    }
}

pub(super) fn refund_state(status: &str) -> RefundState {
    match status {
        "processed" => RefundState::Done,
        "failed" => RefundState::Failed,
        _ => RefundState::Pending,
    }
}

/// Parses an amount in cents. Paystack writes amounts as numbers, and in some events as text.
pub(super) fn cents(value: &Value) -> Option<Money> {
    let cents = match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    cents.map(Money::from_cents)
}

pub(super) fn parse_time(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok().map(|at| at.to_offset(UtcOffset::UTC))
}

pub(super) fn format_time(at: OffsetDateTime) -> Option<String> {
    at.to_offset(UtcOffset::UTC).format(&Rfc3339).ok()
}

/// Deserialises an id as text. Ids are numbers, and some exceed the integers that a double holds
/// exactly.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(serde::de::Error::custom("neither text nor a number")),
    }
}
