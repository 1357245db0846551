//! The control API's manners.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Business, PHONE};

#[tokio::test]
async fn a_script_is_replaced_as_a_whole() {
    let business = Business::start().await;
    business.script(PHONE, json!({"stk": "cancel", "delayMs": 10, "b2c": "fail"})).await;
    business.script("0712 345 678", json!({"airtime": "insufficient"})).await;
    let handset = business.look(&format!("/handsets/{PHONE}")).await;
    assert_eq!(handset["stk"], "approve");
    assert_eq!(handset["delayMs"], 2000);
    assert_eq!(handset["b2c"], "complete");
    assert_eq!(handset["airtime"], "insufficient");
    assert_eq!(handset["callbacks"], 1);
    assert_eq!(handset["disorder"], false);
}

#[tokio::test]
async fn what_cannot_be_meant_is_refused_with_a_reason() {
    let business = Business::start().await;
    let bad = [
        (Method::PUT, "/handsets/254712345678", json!({"stk": "pay"})),
        (Method::PUT, "/handsets/254712345678", json!({"stkk": "approve"})),
        (Method::PUT, "/handsets/254712345678", json!({"delayMs": -1})),
        (Method::PUT, "/handsets/254712345678", json!({"delayMs": 600_001})),
        (Method::PUT, "/handsets/254712345678", json!({"callbackDelayMs": 3_600_001})),
        (Method::PUT, "/handsets/254712345678", json!({"callbacks": 21})),
        (Method::PUT, "/handsets/12", json!({})),
        (Method::PUT, "/faults", json!({"provider": "bank", "kind": "down"})),
        (Method::PUT, "/faults", json!({"provider": "daraja", "kind": "flood"})),
        (Method::PUT, "/faults", json!({"provider": "daraja", "kind": "down", "count": 0})),
        (Method::PUT, "/faults", json!({"provider": "daraja", "kind": "slow", "delayMs": 1e9})),
        (Method::PATCH, "/settings", json!({"askme": true})),
        (Method::PATCH, "/settings", json!({"dailyLimit": -1})),
    ];
    for (method, path, body) in bad {
        let (status, reply) = business.control(method, path, body.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path} {body}");
        assert!(!reply["error"].as_str().unwrap().is_empty());
    }
    assert_eq!(business.look("/handsets").await, json!([]));
    assert_eq!(business.look("/faults").await, json!([]));
    let (status, _) = business.control(Method::GET, "/handsets/254700000000", Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn faults_wait_in_a_bounded_line() {
    let business = Business::start().await;
    let fault = json!({"provider": "daraja", "kind": "spike"});
    for _ in 0..32 {
        business.control(Method::PUT, "/faults", fault.clone()).await;
    }
    let (status, _) = business.control(Method::PUT, "/faults", fault).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(business.look("/faults").await.as_array().unwrap().len(), 32);
}

#[tokio::test]
async fn a_reset_forgets_all_but_the_token() {
    let mut business = Business::start().await;
    business.script(PHONE, json!({"delayMs": 0})).await;
    business.pay(PHONE, 100).await;
    business.ear.next().await;
    business.script(PHONE, json!({"stk": "manual"})).await;
    business.pay(PHONE, 100).await;
    business.control(Method::PATCH, "/settings", json!({"askMe": true})).await;
    let fault = json!({"provider": "daraja", "kind": "down"});
    business.control(Method::PUT, "/faults", fault).await;

    let (status, settings) = business.control(Method::POST, "/reset", Value::Null).await;
    assert_eq!((status, &settings["askMe"]), (StatusCode::OK, &json!(false)));
    for path in ["/handsets", "/payments", "/faults"] {
        assert_eq!(business.look(path).await, json!([]), "{path}");
    }
    assert_eq!(business.look("/bank").await["received"]["count"], 0);
    // The prompt is gone, so the line is free.
    business.pay(PHONE, 100).await;
}

#[tokio::test]
async fn a_watcher_hears_of_a_change() {
    let business = Business::start().await;
    let mut events = business.http.get(business.url("/control/changes")).send().await.unwrap();
    assert_eq!(events.headers()["content-type"], "text/event-stream");
    let first = events.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"event: change"), "{first:?}");
    business.script(PHONE, json!({})).await;
    let next = tokio::time::timeout(crate::support::SOON, events.chunk()).await;
    let next = next.expect("an event comes").unwrap().unwrap();
    assert!(next.starts_with(b"event: change") && next != first, "{next:?}");
}
