//! The bank's book.

use serde_json::json;

use crate::support::{Harness, PHONE};

#[tokio::test]
async fn the_book_lists_only_paid_payments() {
    let mut sandbox = Harness::start().await;
    let mut paid = Vec::new();
    for (phone, script, amount) in [
        (PHONE, "approve", 100),
        (PHONE, "cancel", 200),
        ("254112345678", "silent", 40),
        ("254112345678", "wrong_pin", 60),
    ] {
        sandbox.script(phone, json!({"stk": script, "delayMs": 0})).await;
        let accepted = sandbox.pay(phone, amount).await;
        sandbox.outcome(&accepted["CheckoutRequestID"]).await;
        if ["approve", "silent"].contains(&script) {
            paid.insert(0, accepted["CheckoutRequestID"].clone());
        }
    }
    let book = sandbox.get("/bank").await["received"].clone();
    assert_eq!((&book["count"], &book["amount"]), (&json!(2), &json!(140)));
    let listed: Vec<_> = book["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["checkoutRequestId"].clone())
        .collect();
    assert_eq!(listed, paid);
    let first = &book["entries"][1];
    assert_eq!((&first["msisdn"], &first["amount"]), (&json!(PHONE), &json!(100)));
    assert_eq!((&first["account"], &first["shortCode"]), (&json!("PLAYON12"), &json!("174379")));
    let receipt = sandbox.callback().await["CallbackMetadata"]["Item"][1].clone();
    assert_eq!(receipt["Value"], first["receipt"]);
}
