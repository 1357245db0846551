//! Charges to airtime.

use std::sync::atomic::Ordering::SeqCst;

use reqwest::{Method, StatusCode};
use sandbox::CarrierApp;
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

pub(crate) async fn login(sandbox: &Harness) -> String {
    let CarrierApp { username, password, .. } = CarrierApp::default();
    let request = sandbox.http.post(sandbox.url("/sdp/auth/login"));
    let request = request.header("X-Requested-With", "XMLHttpRequest");
    let reply = request.json(&json!({"username": username, "password": password})).send();
    let reply: Value = reply.await.unwrap().json().await.unwrap();
    reply["token"].as_str().unwrap().to_owned()
}

pub(crate) fn body(id: &str, operation: &str) -> Value {
    json!({
        "requestId": id,
        "channel": "APIGW",
        "operation": operation,
        "requestParam": {"data": [
            {"name": "OfferCode", "value": "BRONZE"},
            {"name": "Msisdn", "value": PHONE},
            {"name": "Language", "value": "1"},
            {"name": "CpId", "value": CarrierApp::default().cp_id},
            {"name": "ChargeAmount", "value": "10"},
            {"name": "OriginalRequestId", "value": "a-1"},
        ]},
    })
}

async fn call(sandbox: &Harness, token: &str, path: &str, body: &Value) -> (StatusCode, Value) {
    let url = sandbox.url(&format!("/sdp/public/SDP/{path}"));
    let request = sandbox.http.post(url).header("X-Authorization", format!("Bearer {token}"));
    let reply = request.json(body).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap_or_default())
}

/// The status code of a reply, which belongs to the request.
pub(crate) async fn code(sandbox: &Harness, token: &str, path: &str, body: &Value) -> Value {
    let (status, reply) = call(sandbox, token, path, body).await;
    assert_eq!((status, &reply["requestId"]), (StatusCode::OK, &body["requestId"]), "{reply}");
    reply["responseParam"]["statusCode"].clone()
}

/// A value of a notification.
fn item(notification: &Value, name: &str) -> Value {
    let items = notification["requestParam"]["data"].as_array().unwrap();
    items.iter().find(|item| item["name"] == name).unwrap()["value"].clone()
}

async fn notification(sandbox: &mut Harness) -> Value {
    let notification: Value = serde_json::from_str(&sandbox.callbacks.next().await.text).unwrap();
    assert_eq!(notification["operation"], "CP_NOTIFICATION");
    notification
}

#[tokio::test]
async fn airtime_is_charged_after_the_consent() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let token = login(&sandbox).await;
    assert_eq!(code(&sandbox, &token, "paymentRequest", &body("a-0", "Payment")).await, "1002");
    assert_eq!(item(&notification(&mut sandbox).await, "statusCode"), "1002");
    assert_eq!(code(&sandbox, &token, "activate", &body("a-1", "ACTIVATE")).await, "0000");
    assert_eq!(code(&sandbox, &token, "paymentRequest", &body("a-1", "Payment")).await, "0000");
    let notification = notification(&mut sandbox).await;
    assert_eq!(item(&notification, "ClientTransactionId"), "a-1");
    assert_eq!(item(&notification, "statusCode"), "0000");
    assert_eq!(item(&notification, "ChargeAmount"), "10");
    // A charge that is repeated with the same id is charged once.
    assert_eq!(code(&sandbox, &token, "paymentRequest", &body("a-1", "Payment")).await, "1010");
    let bank = sandbox.get("/bank").await;
    let airtime = &bank["airtime"];
    assert_eq!((&airtime["count"], &airtime["amountCents"]), (&json!(1), &json!(1_000)));
    assert_eq!(airtime["entries"][0]["receipt"], item(&notification, "TransactionId"));
    let handset = sandbox.get(&format!("/handsets/{PHONE}")).await;
    assert!(handset["inbox"][0]["text"].as_str().unwrap().contains("charged Ksh10.00"));
    for expected in ["0000", "1021"] {
        assert_eq!(code(&sandbox, &token, "refundRequest", &body("r", "Refund")).await, expected);
    }
    assert_eq!(sandbox.get("/bank").await["airtimeRefunds"]["amountCents"], 1_000);
    assert_eq!(code(&sandbox, &token, "deactivate", &body("d", "DEACTIVATE")).await, "0000");
    assert_eq!(code(&sandbox, &token, "paymentRequest", &body("a-2", "Payment")).await, "1002");
}

#[tokio::test]
async fn ordered_outcomes_have_their_codes() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let token = login(&sandbox).await;
    code(&sandbox, &token, "activate", &body("a", "ACTIVATE")).await;
    for (outcome, replied, notified, charged) in [
        ("insufficient", "1001", "1001", false),
        ("not_subscribed", "1002", "1002", false),
        ("rejected", "1003", "1003", false),
        ("later", "0000", "0000", true),
        ("later_insufficient", "0000", "1001", false),
        ("error", "0843", "0000", true),
    ] {
        sandbox.order(json!({"airtime": outcome})).await;
        let request = body(outcome, "Payment");
        assert_eq!(code(&sandbox, &token, "paymentRequest", &request).await, replied, "{outcome}");
        assert_eq!(item(&notification(&mut sandbox).await, "statusCode"), notified, "{outcome}");
        assert_eq!(sandbox.get("/airtime").await["charges"][0]["charged"], charged, "{outcome}");
    }
    sandbox.order(json!({"airtime": "silent"})).await;
    code(&sandbox, &token, "paymentRequest", &body("silent", "Payment")).await;
    assert_eq!(sandbox.get("/bank").await["airtime"]["count"], 3);
    assert!(sandbox.callbacks.is_empty());
}

#[tokio::test]
async fn a_notification_is_posted_again_until_it_is_accepted() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let token = login(&sandbox).await;
    sandbox.control(Method::PATCH, "/settings", json!({"webhookRetryMs": 20})).await;
    sandbox.callbacks.failures.store(2, SeqCst);
    code(&sandbox, &token, "activate", &body("a", "ACTIVATE")).await;
    code(&sandbox, &token, "paymentRequest", &body("a-1", "Payment")).await;
    for _ in 0..3 {
        notification(&mut sandbox).await;
    }
}

#[tokio::test]
async fn refuses_strangers_and_requests_without_a_field() {
    let sandbox = Harness::start().await;
    let token = login(&sandbox).await;
    assert_eq!(login(&sandbox).await, token, "a token is shared until it expires");
    let good = body("a-1", "ACTIVATE");
    let (status, _) = call(&sandbox, "stale", "activate", &good).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    for index in [0, 1, 3] {
        let mut request = good.clone();
        request["requestParam"]["data"][index]["value"] = json!(null);
        let (status, _) = call(&sandbox, &token, "activate", &request).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{index}");
    }
    let (status, _) = call(&sandbox, &token, "paymentRequest", &good).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "another operation");
    let wrong = json!({"username": "playon-dev", "password": "wrong"});
    let request = sandbox.http.post(sandbox.url("/sdp/auth/login")).json(&wrong);
    let reply = request.header("X-Requested-With", "XMLHttpRequest").send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::UNAUTHORIZED);
}
