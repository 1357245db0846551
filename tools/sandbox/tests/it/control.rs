//! The control API.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

#[tokio::test]
async fn put_replaces_the_whole_script() {
    let sandbox =
        Harness::with_script(json!({"stk": "cancel", "delayMs": 10, "b2c": "fail"})).await;
    sandbox.script("0712 345 678", json!({"airtime": "insufficient"})).await;
    let handset = sandbox.get(&format!("/handsets/{PHONE}")).await;
    assert_eq!(handset["stk"], "approve");
    assert_eq!(handset["delayMs"], 2000);
    assert_eq!(handset["b2c"], "complete");
    assert_eq!(handset["airtime"], "insufficient");
    assert_eq!(handset["callbacks"], 1);
    assert_eq!(handset["disorder"], false);
}

#[tokio::test]
async fn refuses_invalid_bodies_with_a_reason() {
    let sandbox = Harness::start().await;
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
        let (status, reply) = sandbox.control(method, path, body.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path} {body}");
        assert!(!reply["error"].as_str().unwrap().is_empty());
    }
    assert_eq!(sandbox.get("/handsets").await, json!([]));
    assert_eq!(sandbox.get("/faults").await, json!([]));
    let (status, _) = sandbox.control(Method::GET, "/handsets/254700000000", Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn limits_the_faults_that_wait() {
    let sandbox = Harness::start().await;
    let fault = json!({"provider": "daraja", "kind": "spike"});
    for _ in 0..32 {
        sandbox.fault(fault.clone()).await;
    }
    let (status, _) = sandbox.control(Method::PUT, "/faults", fault).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(sandbox.get("/faults").await.as_array().unwrap().len(), 32);
}

#[tokio::test]
async fn a_reset_removes_everything_but_the_token() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.pay(PHONE, 100).await;
    sandbox.callbacks.next().await;
    sandbox.script(PHONE, json!({"stk": "manual"})).await;
    sandbox.pay(PHONE, 100).await;
    sandbox.control(Method::PATCH, "/settings", json!({"askMe": true})).await;
    let fault = json!({"provider": "daraja", "kind": "down"});
    sandbox.fault(fault).await;

    let (status, settings) = sandbox.control(Method::POST, "/reset", Value::Null).await;
    assert_eq!((status, &settings["askMe"]), (StatusCode::OK, &json!(false)));
    for path in ["/handsets", "/payments", "/faults"] {
        assert_eq!(sandbox.get(path).await, json!([]), "{path}");
    }
    assert_eq!(sandbox.get("/bank").await["received"]["count"], 0);
    // The prompt is removed, so the handset is not locked.
    sandbox.pay(PHONE, 100).await;
}

#[tokio::test]
async fn sends_an_event_for_a_change() {
    let sandbox = Harness::start().await;
    let mut events = sandbox.http.get(sandbox.url("/control/changes")).send().await.unwrap();
    assert_eq!(events.headers()["content-type"], "text/event-stream");
    let first = events.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"event: change"), "{first:?}");
    sandbox.script(PHONE, json!({})).await;
    let next = tokio::time::timeout(crate::support::TIMEOUT, events.chunk()).await;
    let next = next.expect("an event").unwrap().unwrap();
    assert!(next.starts_with(b"event: change") && next != first, "{next:?}");
}
