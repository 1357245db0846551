//! Calls of the operator that are answered later, and the list of payments received.

use reqwest::StatusCode;
use sandbox::Merchant;
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

/// A request of the operator: the fields that the calls share, and these.
async fn call(sandbox: &Harness, command: &str, fields: Value) -> Value {
    let Merchant { short_code, initiator_name, initiator_password, .. } = Merchant::default();
    let mut request = json!({
        "Initiator": initiator_name,
        "SecurityCredential": sandbox.credential(&initiator_password).await,
        "CommandID": command,
        "PartyA": short_code,
        "IdentifierType": "4",
        "ResultURL": sandbox.callbacks.url,
        "QueueTimeOutURL": sandbox.callbacks.url,
        "Remarks": "ok",
        "Occasion": "",
    });
    for (name, value) in fields.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

/// The result of a call that is accepted.
async fn result(sandbox: &mut Harness, path: &str, request: &Value) -> Value {
    let (status, reply) = sandbox.daraja(path, request).await;
    assert_eq!((status, &reply["ResponseCode"]), (StatusCode::OK, &json!("0")), "{reply}");
    let result = sandbox.result().await;
    assert_eq!(result["ConversationID"], reply["ConversationID"]);
    result
}

/// The last value of a parameter; a key may come twice.
fn parameter(result: &Value, key: &str) -> Value {
    let parameters = result["ResultParameters"]["ResultParameter"].as_array().unwrap();
    parameters.iter().rfind(|p| p["Key"] == key).map_or(Value::Null, |p| p["Value"].clone())
}

#[tokio::test]
async fn the_status_reports_what_became_of_a_payout() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0, "callbacks": 0})).await;
    for (outcome, status) in
        [("silent", "Completed"), ("lost", "Failed"), ("timeout_unpaid", "Failed")]
    {
        sandbox.order(json!({"b2c": outcome})).await;
        let accepted = sandbox.pay_out(outcome, 200).await;
        crate::support::poll(async || {
            let payout = sandbox.get("/payouts").await[0].clone();
            (!payout["settled"].is_null()).then_some(payout)
        })
        .await;
        for id in [&accepted["ConversationID"], &accepted["OriginatorConversationID"]] {
            let query = json!({"OriginalConversationID": id});
            let query = call(&sandbox, "TransactionStatusQuery", query).await;
            let result = result(&mut sandbox, "transactionstatus/v1/query", &query).await;
            assert_eq!(result["ResultCode"], 0);
            assert_eq!(parameter(&result, "TransactionStatus"), status);
            assert_eq!(parameter(&result, "Amount"), 200);
            assert_eq!(parameter(&result, "OriginatorConversationID"), outcome);
        }
    }
    sandbox.script(PHONE, json!({"delayMs": 600_000})).await;
    let open = sandbox.pay_out("open", 200).await;
    for (id, code, status) in [
        (open["ConversationID"].clone(), json!(0), json!("Pending")),
        (json!("AG_unknown"), json!("R000002"), Value::Null),
    ] {
        let query = json!({"OriginalConversationID": id});
        let query = call(&sandbox, "TransactionStatusQuery", query).await;
        let result = result(&mut sandbox, "transactionstatus/v1/query", &query).await;
        assert_eq!(result["ResultCode"], code);
        if code == 0 {
            assert_eq!(parameter(&result, "TransactionStatus"), status);
        }
    }
}

#[tokio::test]
async fn a_reversal_gives_a_payment_back_once() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.pay(PHONE, 100).await;
    sandbox.callbacks.next().await;
    let receipt = sandbox.get("/bank").await["received"]["entries"][0]["receipt"].clone();
    let fields = json!({
        "TransactionID": receipt,
        "Amount": 100,
        "ReceiverParty": "174379",
        "RecieverIdentifierType": "11",
    });
    let mut request = call(&sandbox, "TransactionReversal", fields).await;
    let first = result(&mut sandbox, "reversal/v1/request", &request).await;
    assert_eq!(first["ResultCode"], 0);
    assert_eq!(parameter(&first, "OriginalTransactionID"), receipt);
    let second = result(&mut sandbox, "reversal/v1/request", &request).await;
    assert_eq!(second["ResultCode"], "R000001");
    request["TransactionID"] = json!("AAA1BBB2CC");
    let unknown = result(&mut sandbox, "reversal/v1/request", &request).await;
    assert_eq!(unknown["ResultCode"], "R000002");
    let query = call(&sandbox, "TransactionStatusQuery", json!({"TransactionID": receipt})).await;
    let status = result(&mut sandbox, "transactionstatus/v1/query", &query).await;
    assert_eq!(parameter(&status, "TransactionStatus"), "Reversed");
    let bank = sandbox.get("/bank").await;
    assert_eq!(bank["reversed"]["amountCents"], 10_000);
    assert_eq!(bank["reversed"]["entries"][0]["reference"], receipt);
    assert_eq!(bank["float"]["utility"], 10_000_000);
}

#[tokio::test]
async fn the_balance_is_one_text_with_four_accounts() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    sandbox.pay_out("w-1", 200).await;
    sandbox.result().await;
    let query = call(&sandbox, "AccountBalance", json!({})).await;
    let result = result(&mut sandbox, "accountbalance/v1/query", &query).await;
    let text = parameter(&result, "AccountBalance");
    let accounts: Vec<&str> = text.as_str().unwrap().split('&').collect();
    assert_eq!(accounts.len(), 4);
    assert!(accounts[1].starts_with("Utility Account|KES|9999800.00|"), "{text}");
    assert!(accounts[2].starts_with("Charges Paid Account|KES|-5.00|"), "{text}");
}

#[tokio::test]
async fn a_wrong_operator_changes_nothing() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0})).await;
    let mut query = call(&sandbox, "AccountBalance", json!({})).await;
    query["Initiator"] = json!("other");
    let result = result(&mut sandbox, "accountbalance/v1/query", &query).await;
    assert_eq!(result["ResultCode"], 2001);
}

#[tokio::test]
async fn the_list_has_the_payments_of_a_period() {
    let mut sandbox = Harness::with_script(json!({"delayMs": 0, "callbacks": 0})).await;
    let url = sandbox.url("/daraja/pulltransactions/v1/query");
    for amount in [100, 200] {
        let accepted = sandbox.pay(PHONE, amount).await;
        sandbox.outcome(&accepted["CheckoutRequestID"]).await;
    }
    let pull = |from: &str, offset: u32| {
        json!({
            "ShortCode": "174379",
            "StartDate": from,
            "EndDate": "2099-01-01 0:00:00",
            "OffSetValue": offset.to_string(),
        })
    };
    let ask = async |request: Value| -> Value {
        let reply = sandbox.http.post(&url).bearer_auth(&sandbox.token).json(&request).send();
        reply.await.unwrap().json().await.unwrap()
    };
    let all = ask(pull("2026-01-01 00:00:00", 0)).await;
    assert_eq!(all["ResponseCode"], "1000");
    let found = all["Response"][0].as_array().unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(
        (&found[0]["amount"], &found[0]["msisdn"]),
        (&json!("100.00"), &json!(254_712_345_678_u64))
    );
    assert_eq!(ask(pull("2026-01-01 00:00:00", 1)).await["Response"][0][0]["amount"], "200.00");
    assert_eq!(ask(pull("2098-01-01 00:00:00", 0)).await["Response"], json!([[]]));
    assert!(sandbox.callbacks.is_empty());
}
