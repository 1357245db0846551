//! Card payments: the calls, the hosted page, and the signed webhooks.

use std::sync::atomic::Ordering::SeqCst;

use hmac::{Hmac, KeyInit, Mac};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode};
use sandbox::PaystackApp;
use serde_json::{Value, json};
use sha2::Sha512;

use crate::support::{Callback, Harness, poll};

pub(crate) async fn paystack(
    sandbox: &Harness,
    method: Method,
    path: &str,
    body: Value,
) -> (StatusCode, Value) {
    let url = sandbox.url(&format!("/paystack{path}"));
    let key = PaystackApp::default().secret_key;
    let request = sandbox.http.request(method, url).bearer_auth(key).json(&body);
    let reply = request.send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}

/// Opens a payment of 500 shillings; returns the URL of its page.
pub(crate) async fn open(sandbox: &Harness, reference: &str) -> String {
    let request = json!({
        "email": "player-1@playon.test",
        "amount": 50_000,
        "currency": "KES",
        "reference": reference,
        "channels": ["card"],
        "callback_url": "http://127.0.0.1:9/wait?payment=1",
        "metadata": {"cancel_action": "http://127.0.0.1:9/wait"},
    });
    let (status, reply) = paystack(sandbox, Method::POST, "/transaction/initialize", request).await;
    assert_eq!((status, &reply["status"]), (StatusCode::OK, &json!(true)), "{reply}");
    assert_eq!(reply["data"]["reference"], reference);
    reply["data"]["authorization_url"].as_str().unwrap().to_owned()
}

async fn verify(sandbox: &Harness, reference: &str) -> Value {
    let path = format!("/transaction/verify/{reference}");
    let (status, reply) = paystack(sandbox, Method::GET, &path, Value::Null).await;
    assert_eq!((status, &reply["status"]), (StatusCode::OK, &json!(true)), "{reply}");
    reply["data"].clone()
}

pub(crate) async fn act(sandbox: &Harness, reference: &str, action: &str) -> Value {
    let path = format!("/cards/{reference}");
    let (status, reply) = sandbox.control(Method::POST, &path, json!({"action": action})).await;
    assert_eq!(status, StatusCode::OK, "{reply}");
    reply
}

/// The event of a webhook whose signature is right.
fn event(callback: &Callback) -> Value {
    let key = PaystackApp::default().secret_key;
    let mut mac = Hmac::<Sha512>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(callback.text.as_bytes());
    let signature = hex::encode(mac.finalize().into_bytes());
    assert_eq!(callback.headers["x-paystack-signature"], signature);
    serde_json::from_str(&callback.text).unwrap()
}

#[tokio::test]
async fn a_person_pays_on_the_page_and_returns() {
    let mut sandbox = Harness::start().await;
    let page = open(&sandbox, "c-1").await;
    assert_eq!(verify(&sandbox, "c-1").await["status"], "abandoned");
    let browser = Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    let shown = browser.get(&page).send().await.unwrap();
    assert!(shown.headers()["content-security-policy"].to_str().unwrap().contains("127.0.0.1:9"));
    assert!(shown.text().await.unwrap().contains("Pay KES 500"));
    let paid = browser.post(&page).form(&[("action", "pay")]).send().await.unwrap();
    assert_eq!(paid.status(), StatusCode::SEE_OTHER);
    assert_eq!(
        paid.headers()["location"],
        "http://127.0.0.1:9/wait?payment=1&trxref=c-1&reference=c-1"
    );
    let event = event(&sandbox.callbacks.next().await);
    assert_eq!(event["event"], "charge.success");
    let verified = verify(&sandbox, "c-1").await;
    assert_eq!(event["data"], verified);
    assert_eq!((&verified["status"], &verified["amount"]), (&json!("success"), &json!(50_000)));
    assert_eq!((&verified["currency"], &verified["domain"]), (&json!("KES"), &json!("test")));
    assert_eq!(verified["fees"], 1_450);
    assert_eq!(verified["authorization"]["last4"], "4081");
    let line = sandbox.get("/bank").await["cards"]["entries"][0].clone();
    assert_eq!((&line["reference"], &line["amountCents"]), (&json!("c-1"), &json!(50_000)));
    // A second press of the button does nothing.
    browser.post(&page).form(&[("action", "pay")]).send().await.unwrap();
    assert_eq!(sandbox.get("/bank").await["cards"]["count"], 1);
}

#[tokio::test]
async fn a_declined_card_may_be_tried_again() {
    let mut sandbox = Harness::start().await;
    let page = open(&sandbox, "c-1").await;
    let declined = sandbox.http.post(&page).form(&[("action", "decline")]).send().await.unwrap();
    let text = declined.text().await.unwrap();
    assert!(text.contains("No money was taken") && text.contains("Return to PLAYON"), "{text}");
    assert_eq!(verify(&sandbox, "c-1").await["status"], "failed");
    assert!(sandbox.callbacks.is_empty());
    act(&sandbox, "c-1", "secure").await;
    assert_eq!(verify(&sandbox, "c-1").await["status"], "ongoing");
    act(&sandbox, "c-1", "reject").await;
    assert_eq!(verify(&sandbox, "c-1").await["status"], "failed");
    act(&sandbox, "c-1", "secure").await;
    let done = act(&sandbox, "c-1", "confirm").await;
    assert!(done["returnTo"].as_str().unwrap().ends_with("trxref=c-1&reference=c-1"));
    assert_eq!(event(&sandbox.callbacks.next().await)["event"], "charge.success");
}

#[tokio::test]
async fn an_abandoned_payment_stays_payable() {
    let sandbox = Harness::start().await;
    open(&sandbox, "c-1").await;
    act(&sandbox, "c-1", "abandon").await;
    assert_eq!(verify(&sandbox, "c-1").await["status"], "abandoned");
    act(&sandbox, "c-1", "pay_less").await;
    let paid = verify(&sandbox, "c-1").await;
    assert_eq!((&paid["amount"], &paid["requested_amount"]), (&json!(49_900), &json!(50_000)));
}

#[tokio::test]
async fn refuses_what_paystack_refuses() {
    let sandbox = Harness::start().await;
    open(&sandbox, "c-1").await;
    let good = json!({"email": "a@b.c", "amount": 100, "reference": "c-2"});
    for (field, value, code) in [
        ("reference", json!("c-1"), "duplicate_reference"),
        ("reference", json!("a b"), "invalid_reference"),
        ("email", json!("nobody"), "invalid_email_address"),
        ("amount", json!(1.5), "invalid_amount"),
        ("currency", json!("USD"), "unsupported_currency"),
    ] {
        let mut request = good.clone();
        request[field] = value;
        let (status, reply) =
            paystack(&sandbox, Method::POST, "/transaction/initialize", request).await;
        assert_eq!((status, &reply["code"]), (StatusCode::BAD_REQUEST, &json!(code)));
        assert_eq!(reply["status"], false);
    }
    let (status, reply) =
        paystack(&sandbox, Method::GET, "/transaction/verify/none", Value::Null).await;
    assert_eq!(
        (status, &reply["code"]),
        (StatusCode::BAD_REQUEST, &json!("transaction_not_found"))
    );
    let url = sandbox.url("/paystack/transaction/verify/c-1");
    let reply = sandbox.http.get(url).bearer_auth("wrong").send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(sandbox.get("/cards").await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_refund_is_carried_out_in_steps() {
    let mut sandbox = Harness::start().await;
    open(&sandbox, "c-1").await;
    act(&sandbox, "c-1", "pay").await;
    sandbox.callbacks.next().await;
    let request = json!({"transaction": "c-1", "amount": 20_000, "merchant_note": "wrong player"});
    let (status, reply) = paystack(&sandbox, Method::POST, "/refund", request).await;
    assert_eq!((status, &reply["data"]["status"]), (StatusCode::OK, &json!("pending")), "{reply}");
    for name in ["refund.pending", "refund.processing", "refund.processed"] {
        let event = event(&sandbox.callbacks.next().await);
        assert_eq!(event["event"], name);
        assert_eq!(event["data"]["transaction_reference"], "c-1");
        assert_eq!(event["data"]["id"], reply["data"]["id"].to_string());
    }
    let path = format!("/refund/{}", reply["data"]["id"]);
    let (_, refund) = paystack(&sandbox, Method::GET, &path, Value::Null).await;
    assert_eq!(refund["data"]["status"], "processed");
    assert_eq!(refund["data"]["deducted_amount"], 20_000);
    let (_, listed) = paystack(&sandbox, Method::GET, "/refund?transaction=c-1", Value::Null).await;
    assert_eq!(listed["data"][0]["merchant_note"], "wrong player");
    let too_much = json!({"transaction": "c-1", "amount": 30_001});
    let (status, _) = paystack(&sandbox, Method::POST, "/refund", too_much).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let rest = json!({"transaction": "c-1"});
    paystack(&sandbox, Method::POST, "/refund", rest).await;
    for _ in 0..3 {
        sandbox.callbacks.next().await;
    }
    assert_eq!(verify(&sandbox, "c-1").await["status"], "reversed");
    assert_eq!(sandbox.get("/bank").await["cardRefunds"]["amountCents"], 50_000);
}

#[tokio::test]
async fn a_refund_may_fail() {
    let mut sandbox = Harness::start().await;
    sandbox.control(Method::PATCH, "/settings", json!({"refundsFail": true})).await;
    open(&sandbox, "c-1").await;
    act(&sandbox, "c-1", "pay").await;
    paystack(&sandbox, Method::POST, "/refund", json!({"transaction": "c-1"})).await;
    for name in ["charge.success", "refund.pending", "refund.processing", "refund.failed"] {
        assert_eq!(event(&sandbox.callbacks.next().await)["event"], name);
    }
    assert_eq!(verify(&sandbox, "c-1").await["status"], "success");
    assert_eq!(sandbox.get("/bank").await["cardRefunds"]["count"], 0);
}

#[tokio::test]
async fn a_dispute_is_reported_until_it_is_resolved() {
    let mut sandbox = Harness::start().await;
    open(&sandbox, "c-1").await;
    act(&sandbox, "c-1", "pay").await;
    sandbox.callbacks.next().await;
    for (action, name, resolution) in [
        ("dispute", "charge.dispute.create", Value::Null),
        ("remind", "charge.dispute.remind", Value::Null),
        ("resolve_lost", "charge.dispute.resolve", json!("merchant-accepted")),
    ] {
        act(&sandbox, "c-1", action).await;
        let event = event(&sandbox.callbacks.next().await);
        assert_eq!((&event["event"], &event["data"]["resolution"]), (&json!(name), &resolution));
        assert_eq!(event["data"]["transaction"]["reference"], "c-1");
        assert_eq!(event["data"]["refund_amount"], 50_000);
    }
    let again = json!({"action": "remind"});
    let (status, _) = sandbox.control(Method::POST, "/cards/c-1", again).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_webhook_is_posted_again_until_it_is_accepted() {
    let mut sandbox = Harness::start().await;
    let settings = json!({"webhookRetryMs": 20, "webhookCopies": 2});
    sandbox.control(Method::PATCH, "/settings", settings).await;
    sandbox.callbacks.failures.store(3, SeqCst);
    open(&sandbox, "c-1").await;
    act(&sandbox, "c-1", "pay").await;
    for _ in 0..5 {
        event(&sandbox.callbacks.next().await);
    }
    poll(async || {
        let outgoing = sandbox.get("/outgoing").await;
        let done = outgoing.as_array().unwrap().iter().all(|o| o["attemptsLeft"] == 0);
        done.then_some(outgoing)
    })
    .await;
    assert!(sandbox.callbacks.is_empty());
}

#[tokio::test]
async fn lists_the_transactions_of_a_time_page_by_page() {
    let sandbox = Harness::start().await;
    for reference in ["c-1", "c-2", "c-3"] {
        open(&sandbox, reference).await;
    }
    act(&sandbox, "c-2", "pay").await;
    let path =
        "/transaction?from=2026-01-01T00:00:00Z&to=2099-01-01T00:00:00.000Z&perPage=2&page=2";
    let (_, listed) = paystack(&sandbox, Method::GET, path, Value::Null).await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    assert_eq!(listed["data"][0]["reference"], "c-1");
    assert_eq!((&listed["meta"]["total"], &listed["meta"]["pageCount"]), (&json!(3), &json!(2)));
    let (_, listed) =
        paystack(&sandbox, Method::GET, "/transaction?status=success", Value::Null).await;
    assert_eq!(listed["data"][0]["reference"], "c-2");
    let (_, none) =
        paystack(&sandbox, Method::GET, "/transaction?from=2098-01-01", Value::Null).await;
    assert_eq!(none["data"], json!([]));
}
