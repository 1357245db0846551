//! Payouts to handsets.

use reqwest::StatusCode;
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
