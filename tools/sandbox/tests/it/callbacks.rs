//! Callbacks: their exact body, and lost, late, repeated and early ones.

use serde_json::{Value, json};

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
