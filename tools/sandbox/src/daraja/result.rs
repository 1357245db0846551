//! The result that Daraja posts after a payout, a query of a transaction, a reversal or a
//! query of the accounts.

use serde::Serialize;
use serde_json::value::RawValue;

/// A result; its fields have Daraja's order.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Outcome<'r> {
    result_type: u8,
    /// The result code, as a number where it is one.
    result_code: Option<Box<RawValue>>,
    result_desc: &'r str,
    #[serde(rename = "OriginatorConversationID")]
    originator_conversation_id: &'r str,
    #[serde(rename = "ConversationID")]
    conversation_id: &'r str,
    #[serde(rename = "TransactionID")]
    transaction_id: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_parameters: Option<Parameters>,
    reference_data: ReferenceData,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Parameters {
    result_parameter: Vec<Parameter>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Parameter {
    key: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct ReferenceData {
    reference_item: Parameter,
}

/// The ids of a request.
pub(super) struct Ids<'r> {
    pub(super) originator: &'r str,
    pub(super) conversation: &'r str,
    pub(super) transaction: &'r str,
}

/// The whole body. A failed result has no parameters.
pub(super) fn body(
    ids: &Ids<'_>,
    (code, text): (&str, &str),
    parameters: Vec<Parameter>,
) -> String {
    let is_number = code.bytes().all(|b| b.is_ascii_digit());
    let outcome = Outcome {
        result_type: 0,
        result_code: raw(if is_number { code.to_owned() } else { quoted(code) }),
        result_desc: text,
        originator_conversation_id: ids.originator,
        conversation_id: ids.conversation,
        transaction_id: ids.transaction,
        result_parameters: (!parameters.is_empty())
            .then_some(Parameters { result_parameter: parameters }),
        reference_data: ReferenceData {
            reference_item: self::text(
                "QueueTimeoutURL",
                "https://internalsandbox.safaricom.co.ke/mpesa/v1/results/submit",
            ),
        },
    };
    // Cannot fail: the result has only text and numbers.
    format!("{{\"Result\":{}}}", serde_json::to_string(&outcome).unwrap_or_default())
}

pub(super) fn text(key: &'static str, value: &str) -> Parameter {
    Parameter { key, value: raw(quoted(value)) }
}

/// A parameter whose value is a number, written as given.
pub(super) fn number(key: &'static str, value: impl ToString) -> Parameter {
    Parameter { key, value: raw(value.to_string()) }
}

/// A key without a value, as Daraja sends for what is empty.
pub(super) fn empty(key: &'static str) -> Parameter {
    Parameter { key, value: None }
}

fn raw(json: String) -> Option<Box<RawValue>> {
    RawValue::from_string(json).ok()
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
