//! Restarts on the same folder.

use std::path::PathBuf;

use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use sandbox::Options;
use serde_json::{Value, json};

use crate::support::{Harness, PHONE, poll};
use crate::{airtime, browser, cards};

/// A temporary folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sandbox-it-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn options(&self) -> Options {
        Options { state: Some(self.0.clone()), ..Options::default() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn restores_the_state() {
    let folder = Folder::new("state");
    let mut before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"delayMs": 0, "callbacks": 2})).await;
    before.pay(PHONE, 100).await;
    before.callbacks.next().await;
    before.callbacks.next().await;
    before.control(reqwest::Method::PATCH, "/settings", json!({"askMe": true})).await;
    let paths = ["/handsets", "/bank", "/settings", "/faults"];
    let mut seen = Vec::new();
    for path in paths {
        seen.push(before.get(path).await);
    }
    let token = before.token.clone();
    before.running.shutdown().await;

    let mut after = Harness::start_with(folder.options()).await;
    for (path, seen) in paths.iter().zip(seen) {
        assert_eq!(after.get(path).await, seen, "{path}");
    }
    assert_ne!(after.token, token, "the harness has requested a new one");
    assert!(after.callbacks.is_empty(), "no callback is posted twice");
}

#[tokio::test]
async fn resumes_an_open_prompt() {
    let folder = Folder::new("open");
    let before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"stk": "manual"})).await;
    let manual = before.pay(PHONE, 100).await;
    before.script("254112345678", json!({"stk": "approve", "delayMs": 60_000})).await;
    before.pay("254112345678", 30).await;
    let Harness { running, mut callbacks, .. } = before;
    running.shutdown().await;
    assert!(callbacks.is_empty(), "a shutdown settles nothing");

    let after = Harness::start_with(folder.options()).await;
    assert!(after.get("/handsets").await[1]["prompt"]["manual"].as_bool().unwrap());
    let pin = json!({"action": "pin", "pin": "1234"});
    after.control(reqwest::Method::POST, &format!("/handsets/{PHONE}/prompt"), pin).await;
    assert_eq!(after.outcome(&manual["CheckoutRequestID"]).await["ResultCode"], "0");
    // The callback goes to the URL of the request before the restart.
    let callback = callbacks.next().await.stk_callback();
    assert_eq!(callback["CheckoutRequestID"], manual["CheckoutRequestID"]);
}

#[tokio::test]
async fn settles_a_payment_that_became_due_while_stopped() {
    let folder = Folder::new("due");
    let mut before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"delayMs": 600_000})).await;
    let accepted = before.pay(PHONE, 100).await;
    let running = before.running;
    running.shutdown().await;
    assert!(before.callbacks.is_empty());
    // The test changes the journal as if ten minutes had passed.
    let journal = folder.0.join("journal.jsonl");
    let lines = std::fs::read_to_string(&journal).unwrap();
    let lines = lines.lines().map(|line| {
        let mut fact: Value = serde_json::from_str(line).unwrap();
        if fact["fact"] == "payment" {
            fact["of"]["dueAt"] = fact["of"]["requestedAt"].clone();
        }
        format!("{fact}\n")
    });
    std::fs::write(&journal, lines.collect::<String>()).unwrap();
    let after = Harness::start_with(folder.options()).await;
    assert_eq!(after.outcome(&accepted["CheckoutRequestID"]).await["ResultCode"], "0");
    assert_eq!(before.callbacks.next().await.stk_callback()["ResultCode"], 0);
}

#[tokio::test]
async fn skips_a_truncated_last_line_and_names_an_invalid_one() {
    let folder = Folder::new("cut");
    let before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"stk": "cancel"})).await;
    before.running.shutdown().await;
    let journal = folder.0.join("journal.jsonl");
    let whole = std::fs::read_to_string(&journal).unwrap();

    std::fs::write(&journal, format!("{whole}{{\"fact\":\"hand")).unwrap();
    let after = Harness::start_with(folder.options()).await;
    assert_eq!(after.get("/handsets").await[0]["stk"], "cancel");
    after.running.shutdown().await;

    std::fs::write(&journal, format!("nonsense\n{whole}")).unwrap();
    let error = sandbox::start(folder.options()).await.unwrap_err().to_string();
    assert!(error.contains("line 1 of") && error.contains("SANDBOX_STATE"), "{error}");
}

#[tokio::test]
async fn restores_texts_mail_accounts_and_codes() {
    let folder = Folder::new("people");
    let before = Harness::start_with(folder.options()).await;
    let form = [("username", "sandbox"), ("to", "+254712345678"), ("message", "hi")];
    let request = before.http.post(before.url("/sms/version1/messaging"));
    request.header("apiKey", "playon-dev-sms").form(&form).send().await.unwrap();
    let mail = Message::builder().from("a@playon.test".parse().unwrap());
    let mail = mail.to("b@playon.test".parse().unwrap()).body("hi".to_owned()).unwrap();
    let transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous("127.0.0.1");
    transport.port(before.running.mail_addr.port()).build().send(mail).await.unwrap();
    browser::put_mary(&before, "facebook").await;
    before.control(reqwest::Method::POST, "/social/rotate", json!(null)).await;
    browser::order(&before, json!({"tamper": "expired"})).await;
    let code = browser::Browser::at_facebook(&before).code_for(browser::MARY).await;
    let paths = ["/sms", "/mail", "/accounts", "/social", "/handsets"];
    let mut seen = Vec::new();
    for path in paths {
        seen.push(before.get(path).await);
    }
    let keys = |sandbox: &Harness| sandbox.http.get(sandbox.url("/oidc/google/jwks")).send();
    let keys_before = keys(&before).await.unwrap().text().await.unwrap();
    before.running.shutdown().await;

    let after = Harness::start_with(folder.options()).await;
    for (path, seen) in paths.iter().zip(seen) {
        assert_eq!(after.get(path).await, seen, "{path}");
    }
    assert_eq!(keys(&after).await.unwrap().text().await.unwrap(), keys_before);
    let claim = [
        ("client_id", "playon-facebook"),
        ("client_secret", "playon-facebook-secret"),
        ("redirect_uri", browser::REDIRECT),
        ("code", &code),
    ];
    let url = after.url("/oidc/facebook/oauth/access_token");
    let reply = after.http.get(url).query(&claim).send().await.unwrap();
    assert_eq!(reply.status(), reqwest::StatusCode::OK, "the code is still valid");
}

#[tokio::test]
async fn carries_out_a_payout_after_a_restart() {
    let folder = Folder::new("payout");
    let before = Harness::start_with(folder.options()).await;
    before.script(PHONE, json!({"delayMs": 600_000})).await;
    before.pay_out("w-1", 100).await;
    before.script(PHONE, json!({"delayMs": 0, "callbackDelayMs": 600_000})).await;
    before.pay_out("w-2", 100).await;
    poll(async || Some(before.get("/outgoing").await[0].clone()).filter(Value::is_object)).await;
    let Harness { running, mut callbacks, .. } = before;
    running.shutdown().await;
    assert!(folder.0.join("certificate.pem").exists());
    // The test changes the journal as if ten minutes had passed.
    let journal = folder.0.join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &mut lines {
        if line["of"].get("dueAt").is_some() {
            line["of"]["dueAt"] = json!("2026-01-01T00:00:00Z");
        }
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::fs::write(&journal, lines.join("\n") + "\n").unwrap();

    let after = Harness::start_with(folder.options()).await;
    for _ in 0..2 {
        callbacks.next().await;
    }
    assert_eq!(after.get("/bank").await["paidOut"]["count"], 2);
    after.running.shutdown().await;
}

#[tokio::test]
async fn restores_card_payments_airtime_and_orders_and_ends_refunds() {
    let folder = Folder::new("cards");
    let before = Harness::start_with(folder.options()).await;
    cards::open(&before, "c-1").await;
    cards::open(&before, "c-2").await;
    cards::act(&before, "c-1", "pay").await;
    let token = airtime::login(&before).await;
    airtime::code(&before, &token, "activate", &airtime::body("a", "ACTIVATE")).await;
    airtime::code(&before, &token, "paymentRequest", &airtime::body("a-1", "Payment")).await;
    before.order(json!({"b2c": "full"})).await;
    before.control(reqwest::Method::PUT, "/float", json!({"utility": 7})).await;
    let paths = ["/cards/c-2", "/airtime", "/outcomes", "/float", "/bank"];
    let mut seen = Vec::new();
    for path in paths {
        seen.push(before.get(path).await);
    }
    let refund = json!({"transaction": "c-1"});
    cards::paystack(&before, reqwest::Method::POST, "/refund", refund).await;
    before.running.shutdown().await;

    let after = Harness::start_with(folder.options()).await;
    for (path, seen) in paths.iter().zip(seen).filter(|(path, _)| **path != "/bank") {
        let mut now = after.get(path).await;
        if *path == "/cards/c-2" {
            // The page is at the address of this run.
            now["page"] = seen["page"].clone();
        }
        assert_eq!(now, seen, "{path}");
    }
    assert_eq!(airtime::login(&after).await, token);
    poll(async || {
        let card = after.get("/cards/c-1").await;
        (card["status"] == "reversed").then_some(card)
    })
    .await;
    assert_eq!(after.get("/bank").await["cardRefunds"]["amountCents"], 50_000);
    after.running.shutdown().await;
}
