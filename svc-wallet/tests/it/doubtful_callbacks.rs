//! Callbacks that are not applied as sent: they move nothing, and Daraja is queried.

use std::time::Duration;

use axum::http::StatusCode;
use proto::types::v1::PaymentStatus;
use serde_json::{Value, json};
use testkit::eventually;
use types::Money;

use crate::{
    callback_secret::CallbackSecret,
    world::{PHONE, Player, World},
};

/// Makes the body of a callback.
type MakeBody = fn(&CallbackSecret) -> Vec<u8>;

/// A top-up whose prompt is open, and its secret.
async fn open_top_up(world: &World, player: &Player, script: Value) -> (String, CallbackSecret) {
    world.phone(script).await;
    let id = world.top_up(player, 100).await;
    world.until(player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(world, &id).await;
    (id, secret)
}

#[tokio::test]
async fn a_refusal_that_a_doubtful_callback_follows_is_queried() {
    let doubtful: [(&str, MakeBody); 5] = [
        ("another phone", |secret| {
            let mut paid = secret.paid(100, "DOUBTFUL1");
            let items = &mut paid["Body"]["stkCallback"]["CallbackMetadata"]["Item"];
            items[3]["Value"] = json!(254_799_999_999_u64);
            paid.to_string().into_bytes()
        }),
        ("another checkout", |secret| {
            let mut paid = secret.paid(100, "DOUBTFUL1");
            paid["Body"]["stkCallback"]["CheckoutRequestID"] = json!("ws_CO_other");
            paid.to_string().into_bytes()
        }),
        ("another request", |secret| {
            let mut paid = secret.paid(100, "DOUBTFUL1");
            paid["Body"]["stkCallback"]["MerchantRequestID"] = json!("other");
            paid.to_string().into_bytes()
        }),
        ("unknown result code", |secret| secret.result(4242).to_string().into_bytes()),
        ("unreadable", |_| b"paid".to_vec()),
    ];
    for (outcome, make_body) in doubtful {
        let world = World::new().await;
        let player = world.player();
        let (id, secret) = open_top_up(&world, &player, json!({"stk": "silent"})).await;
        world.send_callback(&secret, &secret.result(1032)).await;
        world.until(&player, &id, PaymentStatus::Error).await;
        // No query is planned after a refusal, until a callback contradicts it.
        assert!(world.call_back(&secret.text, make_body(&secret)).await.is_success());
        world.until_outbox_empty().await;
        assert!(world.outcomes().await.contains(&outcome.to_owned()), "{outcome}");
        assert_eq!(world.balance(&player).await, Money::ZERO, "{outcome}");

        world.wait(Duration::from_secs(121)).await;
        world.until(&player, &id, PaymentStatus::Completed).await;
        assert_eq!(world.balance(&player).await, Money::from_shillings(100), "{outcome}");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_refusal_does_not_cancel_the_query_of_a_dispute() {
    let world = World::new().await;
    let player = world.player();
    let (id, secret) = open_top_up(&world, &player, json!({"stk": "silent"})).await;
    world.send_callback(&secret, &secret.result(4242)).await;
    world.until_outbox_empty().await;
    world.send_callback(&secret, &secret.result(1032)).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.wait(Duration::from_secs(121)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    eventually("no query is planned", || async {
        (!world.is_query_planned(&id).await).then_some(())
    })
    .await;
    world.finish().await;
}

#[tokio::test]
async fn an_incomplete_paid_callback_must_be_confirmed() {
    let world = World::new().await;
    let player = world.player();
    let script = json!({"stk": "cancel", "callbacks": 0});
    let (_, secret) = open_top_up(&world, &player, script).await;
    let (amount, receipt) = (("Amount", json!(100)), ("MpesaReceiptNumber", json!("FORGED2")));
    let phone = ("PhoneNumber", json!(PHONE));
    let masked = ("PhoneNumber", json!("2547*****678"));
    for items in [
        vec![],
        vec![receipt.clone(), phone.clone()],
        vec![amount.clone(), phone],
        vec![amount.clone(), receipt.clone()],
        vec![amount, receipt, masked],
    ] {
        world.send_callback(&secret, &secret.paid_with(&items)).await;
    }
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await, ["not confirmed"; 5]);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn a_masked_phone_number_is_not_another_phone() {
    let world = World::new().await;
    let player = world.player();
    let (id, secret) = open_top_up(&world, &player, json!({"stk": "silent"})).await;
    let mut paid = secret.paid(100, "MASKED1");
    let items = &mut paid["Body"]["stkCallback"]["CallbackMetadata"]["Item"];
    items[3]["Value"] = json!("2547*****678");
    world.send_callback(&secret, &paid).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    let line = &world.history(&player).await[0];
    assert_eq!(line.payment.as_ref().unwrap().receipt.as_deref(), Some("MASKED1"));
    world.finish().await;
}

#[tokio::test]
async fn a_failed_payment_is_credited_once_daraja_confirms_that_it_was_paid() {
    for (script, outcome) in [("silent", "applied"), ("cancel", "not confirmed")] {
        let world = World::new().await;
        let player = world.player();
        let script = json!({"stk": script, "callbacks": 0});
        let (id, secret) = open_top_up(&world, &player, script).await;
        world.send_callback(&secret, &secret.result(1032)).await;
        world.until(&player, &id, PaymentStatus::Error).await;
        world.send_callback(&secret, &secret.paid(100, "LATE1")).await;
        world.until_outbox_empty().await;
        assert!(world.outcomes().await.contains(&outcome.to_owned()), "{outcome}");
        let paid = if outcome == "applied" { 100 } else { 0 };
        assert_eq!(world.balance(&player).await, Money::from_shillings(paid), "{outcome}");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_callback_that_daraja_cannot_confirm_is_given_up_after_a_day() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the push", || async { (world.prompts().await == 1).then_some(()) }).await;
    let mut secret = CallbackSecret::replace(&world, &id).await;
    secret.checkout = "ws_CO_invented".to_owned();
    world.send_callback(&secret, &secret.paid(100, "FORGED2")).await;
    world.until_put_off().await;
    assert!(world.outcomes().await.is_empty(), "not applied, and not given up");

    world.wait(Duration::from_hours(25)).await;
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await, ["unconfirmed"]);
    world.finish().await;
}

#[tokio::test]
async fn a_large_amount_must_be_confirmed() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "cancel", "delayMs": 2000, "callbacks": 0})).await;
    let id = world.top_up(&player, 50_000).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    world.send_callback(&secret, &secret.paid(50_000, "FORGED2")).await;
    eventually("the callback is refused", || async {
        world.wait(Duration::from_secs(1)).await;
        (world.outcomes().await == ["not confirmed"]).then_some(())
    })
    .await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn a_forged_callback_moves_nothing() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;

    let secret = CallbackSecret::replace(&world, &id).await;
    let forged = secret.paid(100, "FORGED1").to_string().into_bytes();
    let status = world.call_back(&"0".repeat(32), forged).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(world.outcomes().await.is_empty(), "callbacks without a valid secret are not stored");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn refuses_a_receipt_that_another_payment_has() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let first = world.top_up(&player, 100).await;
    world.until(&player, &first, PaymentStatus::Completed).await;
    let receipt = world.history(&player).await[0].payment.clone().unwrap().receipt.unwrap();

    // A valid secret does not make a used receipt acceptable.
    world.phone(json!({"stk": "cancel", "delayMs": 600_000, "callbacks": 0})).await;
    let second = world.top_up(&player, 100).await;
    world.until(&player, &second, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &second).await;
    world.send_callback(&secret, &secret.paid(100, &receipt)).await;
    world.until_outbox_empty().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.payment(&player, &second).await.unwrap().status(), PaymentStatus::InProgress);
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_is_recorded_and_not_applied() {
    let world = World::new().await;
    let player = world.player();
    let (id, secret) = open_top_up(&world, &player, json!({"stk": "silent"})).await;
    world.send_callback(&secret, &secret.paid(100, "FIRST1")).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.send_callback(&secret, &secret.paid(100, "SECOND1")).await;
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await, ["applied", "second receipt"]);
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    let line = &world.history(&player).await[0];
    assert_eq!(line.payment.as_ref().unwrap().receipt.as_deref(), Some("FIRST1"));
    world.finish().await;
}

#[tokio::test]
async fn an_unreadable_callback_is_stored_and_moves_nothing() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    for body in [&b"not json"[..], b"{}", b"\xff\xfe", b"[1,2,3]"] {
        assert!(world.call_back(&secret.text, body.to_vec()).await.is_success());
    }
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await, ["unreadable"; 4]);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}
