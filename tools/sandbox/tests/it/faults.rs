//! Ordered troubles of the provider.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Business, PHONE};

async fn order(business: &Business, fault: Value) {
    let (status, reply) = business.control(Method::PUT, "/faults", fault).await;
    assert_eq!(status, StatusCode::OK, "{reply}");
}

#[tokio::test]
async fn http500_hides_a_payment_that_goes_on() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0})).await;
    order(&business, json!({"provider": "daraja", "kind": "http500", "count": 1})).await;
    let (status, reply) = business.push(&business.request(PHONE, 100)).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.003.1001");
    assert_eq!(business.ear.next().await.callback()["ResultCode"], 0);
    // It struck once.
    business.pay(PHONE, 100).await;
}

#[tokio::test]
async fn down_closes_the_connection_and_nothing_happens() {
    let business = Business::start().await;
    order(&business, json!({"provider": "daraja", "kind": "down", "count": 2})).await;
    for left in [1, 0] {
        let request = business.request(PHONE, 100);
        let error = business.try_daraja("stkpush/v1/processrequest", &request).await.unwrap_err();
        assert!(error.status().is_none() && !error.is_timeout(), "{error:?}");
        assert_eq!(business.look("/faults").await.as_array().unwrap().len(), left);
    }
    assert_eq!(business.look("/payments").await, json!([]));
    business.pay(PHONE, 100).await;
}

#[tokio::test]
async fn spike_arrest_refuses_before_anything_happens() {
    let business = Business::start().await;
    order(&business, json!({"provider": "daraja", "kind": "spike", "call": "any"})).await;
    let (status, reply) = business.query(&json!("ws_CO_1")).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.003.02");
    assert!(reply["errorMessage"].as_str().unwrap().contains("Spike Arrest"));
}

#[tokio::test]
async fn unauthorized_is_said_at_the_door_and_not_in_json() {
    let business = Business::start().await;
    order(&business, json!({"provider": "daraja", "kind": "unauthorized"})).await;
    let request = business.request(PHONE, 100);
    let refused = business.try_daraja("stkpush/v1/processrequest", &request).await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert!(refused.json::<Value>().await.is_err());
    assert_eq!(business.look("/payments").await, json!([]));
}

#[tokio::test]
async fn slow_outlives_the_patience_of_the_caller() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0})).await;
    order(&business, json!({"provider": "daraja", "kind": "slow", "delayMs": 300_000})).await;
    let url = business.url("/daraja/mpesa/stkpush/v1/processrequest");
    let push = business.http.post(url).bearer_auth(&business.token);
    let push = push.json(&business.request(PHONE, 100)).send();
    tokio::select! {
        reply = push => panic!("the reply takes longer than this test: {reply:?}"),
        heard = business.ear.next() => assert_eq!(heard.callback()["ResultCode"], 0),
    }
}

#[tokio::test]
async fn slow_takes_as_long_as_ordered() {
    let business = Business::start().await;
    order(&business, json!({"provider": "daraja", "kind": "slow", "delayMs": 50})).await;
    let begin = std::time::Instant::now();
    business.pay(PHONE, 100).await;
    assert!(begin.elapsed() >= Duration::from_millis(50));
}

#[tokio::test]
async fn faults_strike_the_call_they_name_and_can_be_cleared() {
    let business = Business::start().await;
    order(&business, json!({"provider": "daraja", "kind": "spike", "call": "token"})).await;
    order(&business, json!({"provider": "daraja", "kind": "down", "count": 9})).await;
    let (status, left) = business.control(Method::DELETE, "/faults", Value::Null).await;
    assert_eq!((status, left), (StatusCode::OK, json!([])));
    business.pay(PHONE, 100).await;
}
