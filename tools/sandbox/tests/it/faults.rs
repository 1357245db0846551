//! Faults of Daraja.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

#[tokio::test]
async fn http500_carries_out_the_payment() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.fault(json!({"provider": "daraja", "kind": "http500", "count": 1})).await;
    let (status, reply) = sandbox.push(&sandbox.request(PHONE, 100)).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.003.1001");
    assert_eq!(sandbox.callback().await["ResultCode"], 0);
    // The fault counted once.
    sandbox.pay(PHONE, 100).await;
}

#[tokio::test]
async fn down_closes_the_connection_and_carries_out_nothing() {
    let sandbox = Harness::start().await;
    sandbox.fault(json!({"provider": "daraja", "kind": "down", "count": 2})).await;
    for left in [1, 0] {
        let request = sandbox.request(PHONE, 100);
        let error = sandbox.try_daraja("stkpush/v1/processrequest", &request).await.unwrap_err();
        assert!(error.status().is_none() && !error.is_timeout(), "{error:?}");
        assert_eq!(sandbox.get("/faults").await.as_array().unwrap().len(), left);
    }
    assert_eq!(sandbox.get("/payments").await, json!([]));
    sandbox.pay(PHONE, 100).await;
}

#[tokio::test]
async fn spike_arrest_carries_out_nothing() {
    let sandbox = Harness::start().await;
    sandbox.fault(json!({"provider": "daraja", "kind": "spike", "call": "any"})).await;
    let (status, reply) = sandbox.query(&json!("ws_CO_1")).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.003.02");
    assert!(reply["errorMessage"].as_str().unwrap().contains("Spike Arrest"));
}

#[tokio::test]
async fn unauthorized_is_a_401_without_json() {
    let sandbox = Harness::start().await;
    sandbox.fault(json!({"provider": "daraja", "kind": "unauthorized"})).await;
    let request = sandbox.request(PHONE, 100);
    let refused = sandbox.try_daraja("stkpush/v1/processrequest", &request).await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert!(refused.json::<Value>().await.is_err());
    assert_eq!(sandbox.get("/payments").await, json!([]));
}

#[tokio::test]
async fn slow_carries_out_the_payment_before_the_late_reply() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.fault(json!({"provider": "daraja", "kind": "slow", "delayMs": 300_000})).await;
    let url = sandbox.url("/daraja/mpesa/stkpush/v1/processrequest");
    let push = sandbox.http.post(url).bearer_auth(&sandbox.token);
    let push = push.json(&sandbox.request(PHONE, 100)).send();
    tokio::select! {
        reply = push => panic!("the reply takes longer than this test: {reply:?}"),
        received = sandbox.callbacks.next() => assert_eq!(received.stk_callback()["ResultCode"], 0),
    }
}

#[tokio::test]
async fn delays_a_slow_reply_as_long_as_ordered() {
    let sandbox = Harness::start().await;
    sandbox.fault(json!({"provider": "daraja", "kind": "slow", "delayMs": 50})).await;
    let begin = std::time::Instant::now();
    sandbox.pay(PHONE, 100).await;
    assert!(begin.elapsed() >= Duration::from_millis(50));
}

#[tokio::test]
async fn a_fault_matches_only_its_call_and_can_be_deleted() {
    let sandbox = Harness::start().await;
    sandbox.fault(json!({"provider": "daraja", "kind": "spike", "call": "token"})).await;
    sandbox.fault(json!({"provider": "daraja", "kind": "down", "count": 9})).await;
    let (status, left) = sandbox.control(Method::DELETE, "/faults", Value::Null).await;
    assert_eq!((status, left), (StatusCode::OK, json!([])));
    sandbox.pay(PHONE, 100).await;
}
