//! Prompts that a person answers.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

async fn act(sandbox: &Harness, action: Value) -> (StatusCode, Value) {
    sandbox.control(Method::POST, &format!("/handsets/{PHONE}/prompt"), action).await
}

#[tokio::test]
async fn a_new_number_gets_a_handset_with_the_default_script() {
    let sandbox = Harness::start().await;
    sandbox.pay(PHONE, 100).await;
    let handsets = sandbox.get("/handsets").await;
    assert_eq!(handsets.as_array().unwrap().len(), 1);
    assert_eq!(handsets[0]["msisdn"], PHONE);
    assert_eq!(handsets[0]["stk"], "approve");
    assert_eq!(handsets[0]["delayMs"], 2000);
}

#[tokio::test]
async fn ask_me_makes_new_handsets_wait_for_a_person() {
    let mut sandbox = Harness::start().await;
    sandbox.control(Method::PATCH, "/settings", json!({"askMe": true})).await;
    sandbox.pay(PHONE, 1_500).await;
    let prompt = sandbox.get("/handsets").await[0]["prompt"].clone();
    assert_eq!(prompt["manual"], true);
    assert_eq!(prompt["text"], "Do you want to pay Ksh1500 to PLAYON Account no. PLAYON12?");

    let (status, handset) = act(&sandbox, json!({"action": "pin", "pin": "1234"})).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(handset["prompt"], Value::Null);
    let callback = sandbox.callback().await;
    assert_eq!(callback["ResultCode"], 0);
    let receipt = callback["CallbackMetadata"]["Item"][1]["Value"].as_str().unwrap();
    let sms = handset["inbox"][0]["text"].as_str().unwrap();
    let opening =
        format!("{receipt} Confirmed. Ksh1,500.00 sent to PLAYON for account PLAYON12 on ");
    assert!(sms.starts_with(&opening), "{sms}");
    assert!(sms.ends_with("Amount you can transact within the day is Ksh498,500.00."), "{sms}");
}

#[tokio::test]
async fn a_person_may_decline_or_enter_a_wrong_pin() {
    for (action, code) in
        [(json!({"action": "cancel"}), 1032), (json!({"action": "pin", "pin": "0000"}), 2001)]
    {
        let mut sandbox = Harness::with_script(json!({"stk": "manual"})).await;
        sandbox.pay(PHONE, 100).await;
        assert_eq!(act(&sandbox, action).await.0, StatusCode::OK);
        assert_eq!(sandbox.callback().await["ResultCode"], code);
        assert_eq!(sandbox.get("/handsets").await[0]["inbox"], json!([]));
    }
}

#[tokio::test]
async fn a_person_may_take_a_prompt_from_its_script() {
    let mut sandbox = Harness::with_script(json!({"stk": "approve", "delayMs": 60_000})).await;
    sandbox.pay(PHONE, 100).await;
    let (status, handset) = act(&sandbox, json!({"action": "take"})).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(handset["prompt"]["manual"], true);
    assert_eq!(handset["stk"], "approve", "the script is unchanged");
    act(&sandbox, json!({"action": "cancel"})).await;
    assert_eq!(sandbox.callback().await["ResultCode"], 1032);
    assert!(sandbox.callbacks.is_empty());
}

#[tokio::test]
async fn refuses_an_action_without_a_prompt() {
    let sandbox = Harness::with_script(json!({"stk": "unreachable", "delayMs": 60_000})).await;
    sandbox.pay(PHONE, 100).await;
    // A phone that is switched off shows nothing.
    let (status, _) = act(&sandbox, json!({"action": "pin", "pin": "1234"})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, reply) = act(&sandbox, json!({"action": "pin", "pin": "12"})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{reply}");
    let (status, reply) = act(&sandbox, json!({"action": "shout"})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{reply}");
}

#[tokio::test]
async fn concurrent_pins_answer_a_prompt_once() {
    let mut sandbox = Harness::with_script(json!({"stk": "manual"})).await;
    sandbox.pay(PHONE, 100).await;
    let send = || act(&sandbox, json!({"action": "pin", "pin": "1234"}));
    let (a, b, c) = tokio::join!(send(), send(), send());
    let done = [a.0, b.0, c.0].iter().filter(|status| **status == StatusCode::OK).count();
    assert_eq!(done, 1);
    assert_eq!(sandbox.get("/bank").await["received"]["count"], 1);
    sandbox.callbacks.next().await;
    assert!(sandbox.callbacks.is_empty());
}
