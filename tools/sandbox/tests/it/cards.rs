//! Card payments: the calls, the hosted page, and the signed webhooks.

use hmac::{Hmac, KeyInit, Mac};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode};
use sandbox::PaystackApp;
use serde_json::{Value, json};
use sha2::Sha512;

use crate::support::{Callback, Harness};

async fn paystack(
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

/// Opens a payment of 500 shillings; gives the URL of its page.
async fn open(sandbox: &Harness, reference: &str) -> String {
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
