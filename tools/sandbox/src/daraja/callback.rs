//! What Daraja posts to the business when a payment has ended.

use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::clock;
use crate::world::payment::{Payment, Settled};

/// How long Daraja waits for the business to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The body for a settled payment.
pub(super) fn body(payment: &Payment) -> Option<String> {
    let settled = payment.settled.as_ref()?;
    let callback = StkCallback {
        merchant_request_id: &payment.merchant_request_id,
        checkout_request_id: &payment.checkout_request_id,
        result_code: settled.outcome.code(),
        result_desc: settled.outcome.callback_text(),
        callback_metadata: metadata(payment, settled),
    };
    serde_json::to_string(&Envelope { body: Inner { stk_callback: callback } }).ok()
}

/// Posts a copy. Gives the receiver's status; there is no second try.
pub(super) async fn post(http: &reqwest::Client, url: &str, body: String) -> Option<u16> {
    let request =
        http.post(url).header(CONTENT_TYPE, "application/json").timeout(PATIENCE).body(body);
    match request.send().await {
        Ok(reply) => Some(reply.status().as_u16()),
        Err(error) => {
            // Without the address: it holds the receiver's secret.
            tracing::warn!(error = %error.without_url(), "a callback did not arrive");
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
        // Named, and without a value.
        item("Balance", None),
        item("TransactionDate", Some(clock::compact(settled.at))),
        item("PhoneNumber", Some(payment.msisdn.to_string())),
    ];
    Some(Metadata { item: items.into_iter().flatten().collect() })
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Envelope<'p> {
    body: Inner<'p>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Inner<'p> {
    stk_callback: StkCallback<'p>,
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
    /// Raw, because the amount keeps its two decimals on the wire.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
}
