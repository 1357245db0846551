//! Balances, payments, transactions and amounts.

use std::time::Duration;

use http::HeaderValue;
use mesh::{Fault, idempotency::RequestId};
use proto::{
    types::v1::Money,
    wallet::v1::{GetPaymentRequest, ListTransactionsRequest, TopUpRequest},
};
use serde_json::json;

use reqwest::RequestBuilder;
use tonic::Status;

use crate::world::{NOWHERE, World, read};

const TOP_UP: &str = "/api/payments/top-up";

fn top_up(world: &World, json: &str) -> RequestBuilder {
    world.send_signed_in("POST", TOP_UP, json).header("idempotency-key", "attempt-1")
}

#[tokio::test]
async fn money_is_a_number_exact_to_the_cent() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/wallets/balance")).await;
    assert!(
        answer
            .text()
            .contains(r#""payload":{"balance":1250.5,"available":1200.07,"topUpTax":250}"#),
        "{}",
        answer.text()
    );
}

#[tokio::test]
async fn a_top_up_is_passed_on_under_the_clients_key() {
    let world = World::new().await;
    let json = r#"{"paymentMethodId":"m-1","amount":250.5,"mpesaPhoneNumber":"0712345678","userId":"u-2"}"#;
    let call = top_up(&world, json);
    assert_eq!(
        read(call).await.payload(),
        json!({
            "paymentId": "p-1", "status": "IN_PROGRESS", "message": "Your payment is being processed.",
            "type": "TOPUP", "amount": 250.5, "fee": 0, "txGwSessionUrl": null, "heldUntil": null,
        })
    );
    let expected = TopUpRequest {
        request_id: "attempt-1".into(),
        payment_method_id: "m-1".into(),
        amount: Some(Money { cents: 25_050 }),
        mpesa_phone_number: Some("0712345678".into()),
        beneficiary_id: Some("u-2".into()),
    };
    assert_eq!(world.stub.received::<TopUpRequest>()[0].1, expected);
}

#[tokio::test]
async fn without_a_key_no_money_moves() {
    let world = World::new().await;
    let call = world.send_signed_in("POST", TOP_UP, r#"{"amount":1}"#);
    assert_eq!(read(call).await.refusal(), (400, "IDEMPOTENCY_KEY_REQUIRED".into()));
    assert!(world.stub.received::<TopUpRequest>().is_empty());
}

#[tokio::test]
async fn svc_wallet_validates_the_key() {
    let world = World::new().await;
    world.stub.refuse(RequestId::parse("").unwrap_err());
    let keys: [&[u8]; 4] = [b"", b"two words", &[b'x'; 256], b"\xff"];
    for key in keys {
        let key = HeaderValue::from_bytes(key).unwrap();
        let call =
            world.send_signed_in("POST", TOP_UP, r#"{"amount":1}"#).header("idempotency-key", key);
        assert_eq!(read(call).await.refusal(), (400, "INVALID_IDEMPOTENCY_KEY".into()));
    }
    for (_, request) in world.stub.received::<TopUpRequest>() {
        assert!(RequestId::parse(&request.request_id).is_err(), "{}", request.request_id);
    }
    assert_eq!(world.stub.received::<TopUpRequest>().len(), keys.len());
}

#[tokio::test]
async fn an_invalid_amount_never_reaches_svc_wallet() {
    let world = World::new().await;
    for amount in [
        "\"250\"",
        "true",
        "null",
        "{}",
        "[1]",
        "1e30",
        "1E2",
        "1000000000000000000000000000000",
        "-1000000000000000000000000000000",
        "0.001",
        "12.345",
    ] {
        let json = format!(r#"{{"paymentMethodId":"m-1","amount":{amount}}}"#);
        let answer = read(top_up(&world, &json)).await;
        assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{amount}");
        assert_eq!(answer.wrong_fields(), ["amount"], "{amount}");
    }
    for literal in ["NaN", "Infinity", "-Infinity", "+1", ".5", "1.", "01", "0x10", "1_000"] {
        let json = format!(r#"{{"paymentMethodId":"m-1","amount":{literal}}}"#);
        let answer = read(top_up(&world, &json)).await;
        assert_eq!(answer.refusal(), (400, "MALFORMED_JSON".into()), "{literal}");
    }
    assert!(world.stub.received::<TopUpRequest>().is_empty());
}

#[tokio::test]
async fn svc_wallet_refuses_a_negative_amount() {
    let world = World::new().await;
    read(top_up(&world, r#"{"amount":-0.5}"#)).await;
    let received = world.stub.received::<TopUpRequest>();
    assert_eq!(received[0].1.amount, Some(Money { cents: -50 }));
}

#[tokio::test]
async fn a_payment_is_read_by_its_id() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/payments/p-1")).await;
    assert_eq!(answer.payload()["paymentId"], "p-1");
    assert_eq!(world.stub.received::<GetPaymentRequest>()[0].1.payment_id, "p-1");
}

#[tokio::test]
async fn transactions_are_listed_in_pages_with_nulls_for_absent_fields() {
    let world = World::new().await;
    let path = "/api/wallets/list?page=2&pageSize=7&before=9";
    let answer = read(world.get_signed_in(path)).await;
    let at = "2026-11-20T09:00:00.500Z";
    assert_eq!(
        answer.payload(),
        json!([
            {
                "id": "x-1", "userId": "u-1", "transactionDesc": "TOPUP_WALLET",
                "transactionDescId": "1", "kind": "TOP_UP", "amount": 250.5, "direction": "CREDIT",
                "balanceAfter": 250.5, "detail": null, "createdAt": at, "updatedAt": at,
                "payment": {
                    "successful": true, "mpesaTransactionDate": at,
                    "mpesaRransactionDate": at, "receipt": "SKL1",
                },
                "payout": null, "cursor": "7", "counterpartyId": null, "tax": 12.5,
            },
            {
                "id": "x-2", "userId": "u-1", "transactionDesc": "WITHDRAW_WALLET",
                "transactionDescId": "2", "kind": "WITHDRAWAL", "amount": 250.5, "direction": "DEBIT",
                "balanceAfter": null, "detail": null, "createdAt": at, "updatedAt": at,
                "payment": null,
                "payout": {
                    "successful": false, "transactionCompletedDateTime": null, "receipt": null,
                },
                "cursor": "7", "counterpartyId": null, "tax": null,
            },
        ])
    );
    let received = &world.stub.received::<ListTransactionsRequest>()[0].1;
    assert_eq!((received.page, received.page_size), (2, 7));
    assert_eq!(received.before.as_deref(), Some("9"));
}

#[tokio::test]
async fn guests_read_the_payment_methods() {
    let world = World::new().await;
    assert_eq!(
        read(world.get("/api/payment-methods/list")).await.payload(),
        json!([{"id": "m-1", "name": "M-Pesa", "code": "MPESA"}])
    );
}

#[tokio::test]
async fn a_top_up_without_a_connection_to_svc_wallet_did_nothing() {
    let world = World::with(|args| args.upstreams.wallet_url = NOWHERE.into()).await;
    let answer = read(top_up(&world, r#"{"amount":1}"#)).await;
    assert_eq!(answer.refusal(), (503, "WALLET_UNAVAILABLE".into()));
}

#[tokio::test]
async fn a_top_up_that_was_sent_and_not_answered_has_an_unknown_outcome() {
    let world = World::new().await;
    world.await_keys().await;
    for lost in [
        Status::unknown("connection closed"),
        Status::unavailable("keep-alive timed out"),
        Fault::unavailable().into(),
    ] {
        world.stub.refuse(lost);
        let answer = read(top_up(&world, r#"{"amount":1}"#)).await;
        assert_eq!(answer.refusal(), (503, "OUTCOME_UNKNOWN".into()));
        // A read has no outcome.
        let answer = read(world.get_signed_in("/api/wallets/balance")).await;
        assert_eq!(answer.refusal(), (503, "WALLET_UNAVAILABLE".into()));
    }
}

#[tokio::test]
async fn a_top_up_that_is_overdue_has_an_unknown_outcome_and_a_shed_one_has_none() {
    let limit = Duration::from_millis(500);
    let world = World::with(|args| args.call_limit = limit).await;
    world.await_keys().await;
    world.stub.delay(Duration::from_secs(20));
    let answer = read(top_up(&world, r#"{"amount":1}"#)).await;
    assert_eq!(answer.refusal(), (504, "OUTCOME_UNKNOWN".into()));
    // A shed call was refused before anything was done.
    world.stub.delay(Duration::ZERO);
    world.stub.refuse(Fault::overloaded());
    let answer = read(top_up(&world, r#"{"amount":1}"#)).await;
    assert_eq!(answer.refusal(), (503, "OVERLOADED".into()));
}
