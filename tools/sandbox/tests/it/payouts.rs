//! Payouts to handsets.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

/// The value of a parameter of a result.
fn parameter(result: &Value, key: &str) -> Value {
    let parameters = result["ResultParameters"]["ResultParameter"].as_array().unwrap();
    parameters.iter().find(|p| p["Key"] == key).unwrap()["Value"].clone()
}

#[tokio::test]
async fn a_payout_arrives_and_is_reported() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let accepted = sandbox.pay_out("w-1", 500).await;
    assert_eq!(accepted["OriginatorConversationID"], "w-1");
    assert_eq!(accepted["ResponseCode"], "0");
    let result = sandbox.result().await;
    assert_eq!((&result["ResultType"], &result["ResultCode"]), (&json!(0), &json!(0)));
    assert_eq!(result["ConversationID"], accepted["ConversationID"]);
    assert_eq!(result["OriginatorConversationID"], "w-1");
    assert_eq!(parameter(&result, "TransactionAmount"), 500);
    assert_eq!(parameter(&result, "TransactionReceipt"), result["TransactionID"]);
    assert_eq!(parameter(&result, "B2CRecipientIsRegisteredCustomer"), "Y");
    assert_eq!(parameter(&result, "B2CUtilityAccountAvailableFunds"), 9_999_500.0);
    assert_eq!(parameter(&result, "B2CChargesPaidAccountAvailableFunds"), -5.0);

    let bank = sandbox.get("/bank").await;
    let line = &bank["paidOut"]["entries"][0];
    assert_eq!((&line["amountCents"], &line["chargeCents"]), (&json!(50_000), &json!(500)));
    assert_eq!((&line["reference"], &line["party"]), (&json!("w-1"), &json!(PHONE)));
    assert_eq!(line["receipt"], result["TransactionID"]);
    assert_eq!(bank["paidOut"]["amountCents"], 50_000);
    assert_eq!(bank["float"], json!({"utility": 9_999_500, "charges": 5}));
    let handset = sandbox.get(&format!("/handsets/{PHONE}")).await;
    let text = handset["inbox"][0]["text"].as_str().unwrap();
    assert!(text.contains("You have received Ksh500.00 from PLAYON"), "{text}");
}

#[tokio::test]
async fn ordered_outcomes_have_their_codes_and_pay_nothing() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    for (outcome, code) in [
        ("no_float", json!(1)),
        ("below_minimum", json!(2)),
        ("above_maximum", json!(3)),
        ("daily_limit", json!(4)),
        ("full", json!(8)),
        ("debit_state", json!(11)),
        ("no_role", json!(21)),
        ("busy", json!(26)),
        ("bad_initiator", json!(2001)),
        ("inactive", json!(2006)),
        ("not_permitted", json!(2028)),
        ("not_registered", json!(2040)),
        ("credential_locked", json!(8006)),
        ("no_operator", json!("SFC_IC0003")),
    ] {
        sandbox.order(json!({"b2c": outcome})).await;
        sandbox.pay_out(outcome, 100).await;
        let result = sandbox.result().await;
        assert_eq!(result["ResultCode"], code, "{outcome}");
        assert!(result.get("ResultParameters").is_none(), "{result}");
    }
    assert_eq!(sandbox.get("/outcomes").await, json!([]));
    assert_eq!(sandbox.get("/bank").await["paidOut"]["count"], 0);
}

#[tokio::test]
async fn an_order_may_wait_for_a_number_or_an_amount() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.order(json!({"b2c": "full", "suffix": "5678", "amount": 77})).await;
    sandbox.order(json!({"b2c": "busy", "suffix": "0000"})).await;
    let mut codes = Vec::new();
    for (id, amount) in [("w-1", 76), ("w-2", 77), ("w-3", 77)] {
        sandbox.pay_out(id, amount).await;
        codes.push(sandbox.result().await["ResultCode"].clone());
    }
    assert_eq!(codes, [json!(0), json!(8), json!(0)]);
    assert_eq!(sandbox.get("/outcomes").await[0]["b2c"], "busy");
}

#[tokio::test]
async fn refuses_the_same_id_twice() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.pay_out("w-1", 100).await;
    sandbox.result().await;
    let request = sandbox.payout_request("w-1", 100).await;
    let (status, reply) = sandbox.daraja("b2c/v3/paymentrequest", &request).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply["errorCode"], "500.002.1001");
    assert_eq!(reply["errorMessage"], "Duplicate OriginatorConversationID.");
    assert_eq!(sandbox.get("/bank").await["paidOut"]["count"], 1);
}

#[tokio::test]
async fn the_float_can_run_out() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.control(Method::PUT, "/float", json!({"utility": 150})).await;
    let mut codes = Vec::new();
    for id in ["w-1", "w-2"] {
        sandbox.pay_out(id, 100).await;
        codes.push(sandbox.result().await["ResultCode"].clone());
    }
    assert_eq!(codes, [json!(0), json!(1)]);
    // A payment by STK push fills the account.
    sandbox.pay(PHONE, 60).await;
    sandbox.callbacks.next().await;
    assert_eq!(sandbox.get("/float").await["utility"], 110);
}

#[tokio::test]
async fn amounts_outside_the_limits_fail() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.control(Method::PATCH, "/settings", json!({"dailyLimit": 250_000})).await;
    for (amount, code) in [(9, 2), (250_001, 3), (250_000, 0), (10, 4)] {
        sandbox.pay_out(&format!("w-{amount}"), amount).await;
        assert_eq!(sandbox.result().await["ResultCode"], code, "{amount}");
    }
}

#[tokio::test]
async fn a_wrong_operator_or_short_code_is_reported_in_the_result() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let good = sandbox.payout_request("", 100).await;
    let wrong = sandbox.credential("wrong").await;
    for (field, value, code) in [
        ("InitiatorName", json!("other"), 2001),
        ("SecurityCredential", json!(wrong), 2001),
        ("SecurityCredential", json!("AAAA"), 2001),
        ("PartyA", json!("600000"), 2028),
    ] {
        let mut request = good.clone();
        request["OriginatorConversationID"] = json!(format!("{field}-{}", value.to_string().len()));
        request[field] = value;
        let (status, reply) = sandbox.daraja("b2c/v3/paymentrequest", &request).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        assert_eq!(sandbox.result().await["ResultCode"], code, "{field}");
    }
}

#[tokio::test]
async fn validates_a_payout_field_by_field() {
    let sandbox = Harness::start().await;
    let good = sandbox.payout_request("w-1", 100).await;
    for (field, value) in [
        ("OriginatorConversationID", json!("")),
        ("SecurityCredential", json!("not base64!")),
        ("CommandID", json!("Pay")),
        ("Amount", json!("1.5")),
        ("PartyB", json!("0712345678")),
        ("Remarks", json!("x")),
        ("QueueTimeOutURL", json!("http://play.example/hooks")),
        ("ResultURL", json!("https://play.example/mpesa")),
    ] {
        let mut request = good.clone();
        request[field] = value;
        let (status, reply) = sandbox.daraja("b2c/v3/paymentrequest", &request).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{field}");
        assert_eq!(reply["errorMessage"], format!("Bad Request - Invalid {field}"));
    }
    let mut stale = sandbox;
    stale.token = "stale".to_owned();
    let (status, reply) = stale.daraja("b2c/v3/paymentrequest", &good).await;
    assert_eq!((status, &reply["errorCode"]), (StatusCode::UNAUTHORIZED, &json!("401.002.01")));
    assert_eq!(stale.get("/payouts").await, json!([]));
}

#[tokio::test]
async fn a_queue_timeout_leaves_the_outcome_open() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    for (outcome, paid) in [("timeout_unpaid", 0), ("timeout", 1)] {
        sandbox.order(json!({"b2c": outcome})).await;
        sandbox.pay_out(outcome, 100).await;
        let callback = sandbox.callbacks.next().await;
        assert_eq!(callback.query, "timeout");
        assert_eq!(sandbox.get("/bank").await["paidOut"]["count"], paid, "{outcome}");
    }
    assert!(sandbox.callbacks.is_empty());
}

#[tokio::test]
async fn results_may_be_repeated_or_precede_the_reply() {
    let mut sandbox =
        Harness::with_script(json!({"delayMs": 0, "callbacks": 3, "disorder": true})).await;
    sandbox.pay_out("w-1", 100).await;
    // The copies have arrived before the reply, so the test does not wait.
    for _ in 0..3 {
        assert!(!sandbox.callbacks.is_empty());
    }
    assert_eq!(sandbox.get("/bank").await["paidOut"]["count"], 1);
}

#[tokio::test]
async fn a_fault_after_the_payout_hides_it_from_the_business() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.fault(json!({"provider": "daraja", "call": "b2c", "kind": "http500"})).await;
    let request = sandbox.payout_request("w-1", 100).await;
    let (status, _) = sandbox.daraja("b2c/v3/paymentrequest", &request).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(sandbox.result().await["ResultCode"], 0);
}
