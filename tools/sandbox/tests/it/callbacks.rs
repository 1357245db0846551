//! Callbacks: their exact body, and lost, late, repeated and early ones.

use std::time::Duration;

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::support::{Harness, PHONE};

#[tokio::test]
async fn a_success_has_the_exact_bytes_of_the_real_callback() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let accepted = sandbox.pay(PHONE, 100).await;
    let received = sandbox.callbacks.next().await;
    let bank = sandbox.get("/bank").await;
    let line = &bank["received"]["entries"][0];
    let date = received.stk_callback()["CallbackMetadata"]["Item"][3]["Value"].as_u64().unwrap();
    assert_eq!(
        received.text,
        format!(
            "{{\"Body\":{{\"stkCallback\":{{\"MerchantRequestID\":{},\"CheckoutRequestID\":{},\
             \"ResultCode\":0,\"ResultDesc\":\"The service request is processed successfully.\",\
             \"CallbackMetadata\":{{\"Item\":[{{\"Name\":\"Amount\",\"Value\":100.00}},\
             {{\"Name\":\"MpesaReceiptNumber\",\"Value\":{}}},{{\"Name\":\"Balance\"}},\
             {{\"Name\":\"TransactionDate\",\"Value\":{date}}},\
             {{\"Name\":\"PhoneNumber\",\"Value\":254712345678}}]}}}}}}}}",
            accepted["MerchantRequestID"], accepted["CheckoutRequestID"], line["receipt"],
        )
    );
    assert_eq!(date.to_string().len(), 14);
    assert_eq!(received.headers["content-type"], "application/json");
}

#[tokio::test]
async fn a_callback_carries_no_traceparent() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let url = sandbox.url("/daraja/mpesa/stkpush/v1/processrequest");
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let request = sandbox.http.post(url).bearer_auth(&sandbox.token).header("traceparent", trace);
    let reply = request.json(&sandbox.request(PHONE, 100)).send().await.unwrap();
    assert!(reply.status().is_success());
    assert!(!sandbox.callbacks.next().await.headers.contains_key("traceparent"));
}

#[tokio::test]
async fn posts_five_equal_copies() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0, "callbacks": 5})).await;
    sandbox.pay(PHONE, 100).await;
    let first = sandbox.callbacks.next().await.text;
    for _ in 1..5 {
        assert_eq!(sandbox.callbacks.next().await.text, first);
    }
    assert!(sandbox.callbacks.is_empty());
    assert_eq!(sandbox.get("/bank").await["received"]["count"], 1);
}

#[tokio::test]
async fn the_query_reports_an_outcome_whose_callback_is_lost() {
    for script in [json!({"stk": "silent", "delayMs": 0}), json!({"delayMs": 0, "callbacks": 0})] {
        let mut sandbox = Harness::with_script(script).await;
        let accepted = sandbox.pay(PHONE, 100).await;
        assert_eq!(sandbox.outcome(&accepted["CheckoutRequestID"]).await["ResultCode"], "0");
        assert_eq!(sandbox.get("/bank").await["received"]["amount"], 100);
        assert_eq!(sandbox.get("/payments").await[0]["callbacksLeft"], 0);
        assert!(sandbox.callbacks.is_empty());
    }
}

#[tokio::test]
async fn with_disorder_the_callback_arrives_before_the_reply() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0, "disorder": true})).await;
    let accepted = sandbox.pay(PHONE, 100).await;
    // The callback has arrived before the reply, so the test does not wait.
    assert!(!sandbox.callbacks.is_empty());
    assert_eq!(sandbox.outcome(&accepted["CheckoutRequestID"]).await["ResultCode"], "0");
}

#[tokio::test]
async fn the_query_reports_the_outcome_before_a_late_callback() {
    let mut sandbox =
        Harness::with_script(json!({"delayMs": 0, "callbackDelayMs": 3_600_000})).await;
    let accepted = sandbox.pay(PHONE, 100).await;
    let settled = sandbox.outcome(&accepted["CheckoutRequestID"]).await;
    assert_eq!(settled["ResultCode"], "0");
    assert_eq!(sandbox.get("/payments").await[0]["deliveries"], json!([]));
    assert!(sandbox.callbacks.is_empty());
}

#[tokio::test]
async fn delays_a_callback_as_long_as_ordered() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0, "callbackDelayMs": 50})).await;
    sandbox.pay(PHONE, 100).await;
    assert_eq!(sandbox.callback().await["ResultCode"], 0);
    let payment = sandbox.posted_payment().await;
    let at =
        |event: &Value| OffsetDateTime::parse(event["at"].as_str().unwrap(), &Rfc3339).unwrap();
    let late = at(&payment["deliveries"][0]) - at(&payment["settled"]);
    assert!(late >= Duration::from_millis(50), "{late}");
}

#[tokio::test]
async fn a_failed_callback_is_not_retried() {
    let sandbox = Harness::start().await;
    // With disorder the reply comes after the attempt, so the attempt is recorded by then.
    sandbox.script(PHONE, json!({"delayMs": 0, "disorder": true})).await;
    let mut request = sandbox.request(PHONE, 100);
    // The port is privileged, so no test listens on it.
    request["CallBackURL"] = json!("http://127.0.0.1:1/hooks");
    sandbox.push(&request).await;
    let payments = sandbox.get("/payments").await;
    assert_eq!(payments[0]["callbacksLeft"], 0);
    assert_eq!(payments[0]["deliveries"].as_array().unwrap().len(), 1);
    assert_eq!(payments[0]["deliveries"][0]["status"], Value::Null);
}
