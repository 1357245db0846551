//! Withdrawals, subscriptions and statements.

use proto::{
    auth::v1::{ConfirmPayoutPhoneRequest, StartPayoutPhoneRequest},
    types::v1::Money,
    wallet::v1::{
        GetStatementRequest, GetTransactionRequest, GetWithdrawChargesRequest, StatementFormat,
        SubscribeRequest, WithdrawRequest,
    },
};
use serde_json::json;

use crate::world::{World, read};

#[tokio::test]
async fn the_charge_of_a_withdrawal_is_a_number() {
    let world = World::new().await;
    let path = "/api/wallets/withdraw-charges/m-1?amount=100.50";
    assert_eq!(read(world.get_signed_in(path)).await.payload(), json!(5));
    let request = &world.stub.received::<GetWithdrawChargesRequest>()[0].1;
    assert_eq!(request.payment_method_id, "m-1");
    assert_eq!(request.amount, Some(Money { cents: 10_050 }));
    for query in ["", "?amount=", "?amount=ten"] {
        let path = format!("/api/wallets/withdraw-charges/m-1{query}");
        let answer = read(world.get_signed_in(&path)).await;
        assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{query}");
        assert_eq!(answer.wrong_fields(), ["amount"], "{query}");
    }
}

#[tokio::test]
async fn a_withdrawal_needs_an_idempotency_key() {
    let world = World::new().await;
    let json = r#"{"paymentMethodId":"m-1","amount":100,"mpesaPhoneNumber":"0712345678"}"#;
    let call = || world.send_signed_in("POST", "/api/wallets/withdraw", json);
    let answer = read(call()).await;
    assert_eq!(answer.refusal(), (400, "IDEMPOTENCY_KEY_REQUIRED".into()));
    assert!(world.stub.received::<WithdrawRequest>().is_empty());

    let answer = read(call().header("idempotency-key", "attempt-1")).await;
    assert_eq!(answer.payload()["paymentId"], "p-1");
    let request = &world.stub.received::<WithdrawRequest>()[0].1;
    assert_eq!(request.request_id, "attempt-1");
    assert_eq!(request.amount, Some(Money { cents: 10_000 }));
    assert_eq!(request.mpesa_phone_number, "0712345678");
}

#[tokio::test]
async fn phones_for_withdrawals_are_listed_and_proven_by_a_code() {
    let world = World::new().await;
    let phone = json!({"phone": "+254712345678", "opensAt": "2026-11-20T09:00:00.500Z"});
    let listed = read(world.get_signed_in("/api/payout-phones")).await.payload();
    assert_eq!(listed, json!({"phones": [phone]}));

    let body = r#"{"phone":"0712345678"}"#;
    let started = read(world.send_signed_in("POST", "/api/payout-phones/start", body)).await;
    assert_eq!(started.payload()["phone"], "+254712345678");
    assert_eq!(world.stub.received::<StartPayoutPhoneRequest>()[0].1.phone, "0712345678");

    let body = r#"{"code":"123456"}"#;
    let proven = read(world.send_signed_in("POST", "/api/payout-phones/confirm", body)).await;
    assert_eq!(proven.payload(), phone);
    assert_eq!(world.stub.received::<ConfirmPayoutPhoneRequest>()[0].1.code, "123456");
}

#[tokio::test]
async fn guests_read_the_packages() {
    let world = World::new().await;
    assert_eq!(
        read(world.get("/api/subscription-packages/list")).await.payload(),
        json!([{
            "id": "p-1", "name": "Bronze", "description": "All games for a day.", "amount": 20,
            "duration": "24 hours", "currency": "KES", "popular": true, "oldId": null,
        }])
    );
}

#[tokio::test]
async fn a_player_reads_and_buys_packages() {
    let world = World::new().await;
    assert_eq!(
        read(world.get_signed_in("/api/subscriptions/list")).await.payload(),
        json!([{
            "id": "s-1", "expired": false, "startsAt": "2026-11-20T09:00:00.500Z",
            "expiresAt": "2026-11-21T09:00:00.500Z",
            "subscriptionPackage": {"id": "p-1", "name": "Bronze"},
        }])
    );
    let json = r#"{"paymentMethodId":"m-1","subscriptionPackageId":"p-1"}"#;
    let call = world.send_signed_in("POST", "/api/payments/subscribe", json);
    let answer = read(call.header("idempotency-key", "attempt-1")).await;
    assert_eq!(answer.payload()["paymentId"], "p-1");
    let request = &world.stub.received::<SubscribeRequest>()[0].1;
    assert_eq!(request.subscription_package_id, "p-1");
    assert_eq!(request.mpesa_phone_number, None);
}

#[tokio::test]
async fn a_transaction_is_read_by_its_id() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/wallets/transactions/x-2")).await;
    assert_eq!(answer.payload()["id"], "x-2");
    assert_eq!(world.stub.received::<GetTransactionRequest>()[0].1.transaction_id, "x-2");
}

#[tokio::test]
async fn a_statement_is_a_file() {
    let world = World::new().await;
    for (format, media_type, wanted) in [
        ("", "text/csv; charset=utf-8", StatementFormat::Csv),
        ("&format=pdf", "application/pdf", StatementFormat::Pdf),
    ] {
        let path = format!("/api/wallets/statement?from=2026-11-01&to=2026-11-22{format}");
        let answer = read(world.get_signed_in(&path)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some(media_type));
        let name = answer.header("content-disposition").unwrap();
        assert!(name.starts_with("attachment; filename=\"playon-2026-11-01-2026-11-22."), "{name}");
        assert_eq!(&answer.body[..], b"date,amount");
        let request = world.stub.received::<GetStatementRequest>().pop().unwrap().1;
        assert_eq!((request.from.as_str(), request.format()), ("2026-11-01", wanted));
    }
    let answer = read(world.get_signed_in("/api/wallets/statement?format=exe")).await;
    assert_eq!(answer.wrong_fields(), ["format"]);
}
