//! The outcomes of a payment, in the callback and in the query.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

/// Runs one payment with this script; returns the callback and the query's reply.
async fn run(script: &str, amount: u64) -> (Value, Value) {
    let mut sandbox = Harness::with_script(json!({"stk": script, "delayMs": 0})).await;
    let accepted = sandbox.pay(PHONE, amount).await;
    let callback = sandbox.callback().await;
    assert_eq!(callback["CheckoutRequestID"], accepted["CheckoutRequestID"]);
    assert_eq!(callback["MerchantRequestID"], accepted["MerchantRequestID"]);
    let query = sandbox.outcome(&accepted["CheckoutRequestID"]).await;
    assert_eq!(query["ResponseCode"], "0");
    assert_eq!(query["MerchantRequestID"], accepted["MerchantRequestID"]);
    (callback, query)
}

#[tokio::test]
async fn callback_and_query_have_the_result_code_of_the_script() {
    let scripts = [
        ("approve", 100, 0),
        ("insufficient", 100, 1),
        ("approve", 250_001, 3),
        ("expired", 100, 1019),
        ("cancel", 100, 1032),
        ("timeout", 100, 1037),
        ("unreachable", 100, 1037),
        ("wrong_pin", 100, 2001),
        ("below_minimum", 100, 2),
        ("receiver_full", 100, 8),
        ("busy", 100, 26),
        ("subscriber_locked", 100, 1001),
        ("push_failed", 100, 1025),
        ("not_permitted", 100, 2028),
        ("credential_locked", 100, 8006),
    ];
    for (script, amount, code) in scripts {
        let (callback, query) = run(script, amount).await;
        assert_eq!(callback["ResultCode"], code, "{script}");
        assert_eq!(query["ResultCode"], code.to_string(), "{script}");
        let has_metadata = callback.get("CallbackMetadata").is_some();
        assert_eq!(has_metadata, code == 0, "{script}");
        // The query returns neither amount nor receipt.
        assert_eq!(query.as_object().unwrap().len(), 6, "{query}");
    }
}

#[tokio::test]
async fn callback_and_query_word_a_timeout_differently() {
    let (callback, query) = run("timeout", 100).await;
    assert_eq!(callback["ResultDesc"], "No response from user.");
    assert_eq!(query["ResultDesc"], "DS timeout user cannot be reached.");
}

#[tokio::test]
async fn the_query_reports_an_open_prompt_as_pending() {
    let sandbox = Harness::with_script(json!({"stk": "manual"})).await;
    let accepted = sandbox.pay(PHONE, 100).await;
    let (status, reply) = sandbox.query(&accepted["CheckoutRequestID"]).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.001.1001");
    assert_eq!(reply["errorMessage"], "The transaction is being processed");

    sandbox.control(Method::PATCH, "/settings", json!({"pendingReply": "code4999"})).await;
    let (status, reply) = sandbox.query(&accepted["CheckoutRequestID"]).await;
    assert_eq!((status, &reply["ResultCode"]), (StatusCode::OK, &json!("4999")));
}

#[tokio::test]
async fn refuses_an_unknown_checkout_request_id() {
    let sandbox = Harness::start().await;
    let (status, reply) = sandbox.query(&json!("ws_CO_1")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(reply["errorMessage"], "Bad Request - Invalid CheckoutRequestID");
}

#[tokio::test]
async fn the_repeat_guard_refuses_the_same_amount_within_two_minutes() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let mut codes = Vec::new();
    for (guard, amount) in [(false, 100), (false, 100), (true, 100), (true, 101)] {
        sandbox.control(Method::PATCH, "/settings", json!({"repeatGuard": guard})).await;
        sandbox.pay(PHONE, amount).await;
        codes.push(sandbox.callback().await["ResultCode"].clone());
    }
    assert_eq!(codes, [json!(0), json!(0), json!(17), json!(0)]);
}

#[tokio::test]
async fn refuses_payments_above_the_daily_limit() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.control(Method::PATCH, "/settings", json!({"dailyLimit": 250})).await;
    let mut codes = Vec::new();
    for amount in [200, 51, 50] {
        sandbox.pay(PHONE, amount).await;
        codes.push(sandbox.callback().await["ResultCode"].clone());
    }
    assert_eq!(codes, [json!(0), json!(4), json!(0)]);
}

#[tokio::test]
async fn wrong_amount_pays_one_shilling_more() {
    let mut sandbox = Harness::with_script(json!({"stk": "wrong_amount", "delayMs": 0})).await;
    sandbox.pay(PHONE, 100).await;
    let callback = sandbox.callback().await;
    assert_eq!(callback["CallbackMetadata"]["Item"][0]["Value"], 101.0);
    assert_eq!(sandbox.get("/bank").await["received"]["amount"], 101);
}

#[tokio::test]
async fn an_ordered_outcome_counts_for_one_payment() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.order(json!({"stk": "push_failed"})).await;
    let mut codes = Vec::new();
    for _ in 0..2 {
        sandbox.pay(PHONE, 100).await;
        codes.push(sandbox.callback().await["ResultCode"].clone());
    }
    assert_eq!(codes, [json!(1025), json!(0)]);
}
