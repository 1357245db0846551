//! How the business is told: the exact shape, and every disorder.

use std::time::Duration;

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::support::{Business, PHONE};

#[tokio::test]
async fn a_success_has_the_real_shape_to_the_byte() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0})).await;
    let accepted = business.pay(PHONE, 100).await;
    let heard = business.ear.next().await;
    let bank = business.look("/bank").await;
    let line = &bank["received"]["entries"][0];
    let date = heard.callback()["CallbackMetadata"]["Item"][3]["Value"].as_u64().unwrap();
    assert_eq!(
        heard.text,
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
    assert_eq!(heard.headers["content-type"], "application/json");
}

#[tokio::test]
async fn a_callback_belongs_to_no_trace_of_the_caller() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0})).await;
    let url = business.url("/daraja/mpesa/stkpush/v1/processrequest");
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let request = business.http.post(url).bearer_auth(&business.token).header("traceparent", trace);
    let reply = request.json(&business.request(PHONE, 100)).send().await.unwrap();
    assert!(reply.status().is_success());
    assert!(!business.ear.next().await.headers.contains_key("traceparent"));
}

#[tokio::test]
async fn five_copies_are_the_same_callback() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0, "callbacks": 5})).await;
    business.pay(PHONE, 100).await;
    let first = business.ear.next().await.text;
    for _ in 1..5 {
        assert_eq!(business.ear.next().await.text, first);
    }
    assert!(business.ear.is_quiet());
    assert_eq!(business.look("/bank").await["received"]["count"], 1);
}

#[tokio::test]
async fn a_lost_callback_leaves_the_query_to_tell() {
    for script in [json!({"stk": "silent", "delayMs": 0}), json!({"delayMs": 0, "callbacks": 0})] {
        let mut business = Business::start().await;
        business.script(PHONE, script).await;
        let accepted = business.pay(PHONE, 100).await;
        assert_eq!(business.ended(&accepted["CheckoutRequestID"]).await["ResultCode"], "0");
        assert_eq!(business.look("/bank").await["received"]["amount"], 100);
        assert_eq!(business.look("/payments").await[0]["callbacksLeft"], 0);
        assert!(business.ear.is_quiet());
    }
}

#[tokio::test]
async fn in_disorder_the_callback_overtakes_the_reply() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0, "disorder": true})).await;
    let accepted = business.pay(PHONE, 100).await;
    // It is here already: nothing is waited for.
    assert!(!business.ear.is_quiet());
    assert_eq!(business.ended(&accepted["CheckoutRequestID"]).await["ResultCode"], "0");
}

#[tokio::test]
async fn a_late_callback_comes_after_the_query_knows() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0, "callbackDelayMs": 3_600_000})).await;
    let accepted = business.pay(PHONE, 100).await;
    let settled = business.ended(&accepted["CheckoutRequestID"]).await;
    assert_eq!(settled["ResultCode"], "0");
    assert_eq!(business.look("/payments").await[0]["deliveries"], json!([]));
    assert!(business.ear.is_quiet());
}

#[tokio::test]
async fn a_late_callback_comes_as_late_as_ordered() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0, "callbackDelayMs": 50})).await;
    business.pay(PHONE, 100).await;
    assert_eq!(business.ear.next().await.callback()["ResultCode"], 0);
    let told = business.told().await;
    let at = |told: &Value| OffsetDateTime::parse(told["at"].as_str().unwrap(), &Rfc3339).unwrap();
    let late = at(&told["deliveries"][0]) - at(&told["settled"]);
    assert!(late >= Duration::from_millis(50), "{late}");
}

#[tokio::test]
async fn a_deaf_business_is_told_once_and_never_again() {
    let business = Business::start().await;
    // Held back until the attempt is over, so there is something to look at.
    business.script(PHONE, json!({"delayMs": 0, "disorder": true})).await;
    let mut request = business.request(PHONE, 100);
    // A port that no test is given.
    request["CallBackURL"] = json!("http://127.0.0.1:1/hooks");
    business.push(&request).await;
    let payments = business.look("/payments").await;
    assert_eq!(payments[0]["callbacksLeft"], 0);
    assert_eq!(payments[0]["deliveries"].as_array().unwrap().len(), 1);
    assert_eq!(payments[0]["deliveries"][0]["status"], Value::Null);
}
