//! The callback that Daraja posts when a payment has ended.

use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::clock;
use crate::world::payment::{Payment, Settled};

/// How long Daraja waits for the reply to a callback.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The body for a settled payment; its fields have Daraja's order.
pub(super) fn body(payment: &Payment) -> Option<String> {
    let settled = payment.settled.as_ref()?;
    let callback = serde_json::to_string(&StkCallback {
        merchant_request_id: &payment.merchant_request_id,
        checkout_request_id: &payment.checkout_request_id,
        result_code: settled.outcome.result().0,
        result_desc: settled.outcome.callback_text(),
        callback_metadata: metadata(payment, settled),
    });
    Some(format!("{{\"Body\":{{\"stkCallback\":{}}}}}", callback.ok()?))
}

/// Posts one copy, without a retry, and returns the receiver's status.
pub(super) async fn post(http: &reqwest::Client, url: &str, body: String) -> Option<u16> {
    let request =
        http.post(url).header(CONTENT_TYPE, "application/json").timeout(TIMEOUT).body(body);
    match request.send().await {
        Ok(reply) => Some(reply.status().as_u16()),
        Err(error) => {
            // The error is logged without the URL, which holds the receiver's secret.
            tracing::warn!(error = %error.without_url(), "a callback was not delivered");
            None
        }
    }
}

fn metadata(payment: &Payment, settled: &Settled) -> Option<Metadata> {
    let receipt = settled.receipt.as_deref()?;
    let item = |name, value: Option<String>| {
        Some(Item { name, value: value.map(RawValue::from_string).transpose().ok()? })
    };
    let items = [
        item("Amount", Some(format!("{}.00", settled.amount))),
        item("MpesaReceiptNumber", Some(format!("\"{receipt}\""))),
        // Daraja sends this name without a value.
        item("Balance", None),
        item("TransactionDate", Some(clock::compact(settled.at))),
        item("PhoneNumber", Some(payment.msisdn.to_string())),
    ];
    Some(Metadata { item: items.into_iter().flatten().collect() })
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct StkCallback<'p> {
    #[serde(rename = "MerchantRequestID")]
    merchant_request_id: &'p str,
    #[serde(rename = "CheckoutRequestID")]
    checkout_request_id: &'p str,
    result_code: u32,
    result_desc: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    callback_metadata: Option<Metadata>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata {
    item: Vec<Item>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Item {
    name: &'static str,
    /// Raw JSON, because the amount keeps its two decimals on the wire.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
}
