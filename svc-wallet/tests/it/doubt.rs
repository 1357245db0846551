//! What is said under a secret of ours and cannot be taken at its word: it moves
//! nothing, and Daraja is asked.

use std::time::Duration;

use axum::http::StatusCode;
use proto::types::v1::PaymentStatus;
use serde_json::{Value, json};
use testkit::eventually;
use types::Money;

use crate::{
    secret::Secret,
    world::{PHONE, Player, World},
};

/// What somebody makes of a secret.
type Said = fn(&Secret) -> Vec<u8>;

/// A top-up whose phone waits for its owner, and its secret.
async fn stolen(world: &World, player: &Player, script: Value) -> (String, Secret) {
    world.phone(script).await;
    let id = world.top_up(player, 100).await;
    world.until(player, &id, PaymentStatus::InProgress).await;
    let secret = Secret::steal(world, &id).await;
    (id, secret)
}

#[tokio::test]
async fn a_no_that_was_followed_by_odd_news_is_asked_about() {
    let odd: [(&str, Said); 5] = [
        ("another phone", |secret| {
            let mut paid = secret.paid(100, "ODD1");
            let items = &mut paid["Body"]["stkCallback"]["CallbackMetadata"]["Item"];
            items[3]["Value"] = json!(254_799_999_999_u64);
            paid.to_string().into_bytes()
        }),
        ("another checkout", |secret| {
            let mut paid = secret.paid(100, "ODD1");
            paid["Body"]["stkCallback"]["CheckoutRequestID"] = json!("ws_CO_other");
            paid.to_string().into_bytes()
        }),
        ("another request", |secret| {
            let mut paid = secret.paid(100, "ODD1");
            paid["Body"]["stkCallback"]["MerchantRequestID"] = json!("other");
            paid.to_string().into_bytes()
        }),
        ("unknown result code", |secret| secret.result(4242).to_string().into_bytes()),
        ("unreadable", |_| b"paid".to_vec()),
    ];
    for (outcome, message) in odd {
        let world = World::new().await;
        let player = world.player();
        let (id, secret) = stolen(&world, &player, json!({"stk": "silent"})).await;
        world.tell(&secret, &secret.result(1032)).await;
        world.until(&player, &id, PaymentStatus::Error).await;
        // Nothing is left to ask about a clear no, until somebody doubts it.
        assert!(world.call_back(&secret.text, message(&secret)).await.is_success());
        world.until_quiet().await;
        assert!(world.outcomes().await.contains(&outcome.to_owned()), "{outcome}");
        assert_eq!(world.balance(&player).await, Money::ZERO, "{outcome}");

        world.wait(Duration::from_secs(121));
        world.until(&player, &id, PaymentStatus::Completed).await;
        assert_eq!(world.balance(&player).await, Money::from_shillings(100), "{outcome}");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_clear_no_does_not_end_the_questions_that_odd_news_raised() {
    let world = World::new().await;
    let player = world.player();
    let (id, secret) = stolen(&world, &player, json!({"stk": "silent"})).await;
    world.tell(&secret, &secret.result(4242)).await;
    world.until_quiet().await;
    world.tell(&secret, &secret.result(1032)).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.wait(Duration::from_secs(121));
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    eventually("the questions' end", || async { (!world.is_asked(&id).await).then_some(()) }).await;
    world.finish().await;
}

#[tokio::test]
async fn a_paid_that_says_less_than_daraja_does_is_not_believed_alone() {
    let world = World::new().await;
    let player = world.player();
    let script = json!({"stk": "cancel", "callbacks": 0});
    let (_, secret) = stolen(&world, &player, script).await;
    let (amount, receipt) = (("Amount", json!(100)), ("MpesaReceiptNumber", json!("LIE1")));
    let phone = ("PhoneNumber", json!(PHONE));
    let masked = ("PhoneNumber", json!("2547*****678"));
    for items in [
        vec![],
        vec![receipt.clone(), phone.clone()],
        vec![amount.clone(), phone],
        vec![amount.clone(), receipt.clone()],
        vec![amount, receipt, masked],
    ] {
        world.tell(&secret, &secret.paid_with(&items)).await;
    }
    world.until_quiet().await;
    assert_eq!(world.outcomes().await, ["not confirmed"; 5]);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn a_masked_number_is_no_other_number() {
    let world = World::new().await;
    let player = world.player();
    let (id, secret) = stolen(&world, &player, json!({"stk": "silent"})).await;
    let mut paid = secret.paid(100, "MASKED1");
    let items = &mut paid["Body"]["stkCallback"]["CallbackMetadata"]["Item"];
    items[3]["Value"] = json!("2547*****678");
    world.tell(&secret, &paid).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    let line = &world.history(&player).await[0];
    assert_eq!(line.payment.as_ref().unwrap().receipt.as_deref(), Some("MASKED1"));
    world.finish().await;
}

#[tokio::test]
async fn what_was_given_up_is_credited_when_daraja_says_so_too() {
    for (script, outcome) in [("silent", "applied"), ("cancel", "not confirmed")] {
        let world = World::new().await;
        let player = world.player();
        let script = json!({"stk": script, "callbacks": 0});
        let (id, secret) = stolen(&world, &player, script).await;
        world.tell(&secret, &secret.result(1032)).await;
        world.until(&player, &id, PaymentStatus::Error).await;
        world.tell(&secret, &secret.paid(100, "LATE1")).await;
        world.until_quiet().await;
        assert!(world.outcomes().await.contains(&outcome.to_owned()), "{outcome}");
        let paid = if outcome == "applied" { 100 } else { 0 };
        assert_eq!(world.balance(&player).await, Money::from_shillings(paid), "{outcome}");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_checkout_that_only_callbacks_name_is_asked_about_for_a_day() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the push", || async { (world.prompts().await == 1).then_some(()) }).await;
    let mut secret = Secret::steal(&world, &id).await;
    secret.checkout = "ws_CO_invented".to_owned();
    world.tell(&secret, &secret.paid(100, "LIE1")).await;
    world.until_put_off().await;
    assert!(world.outcomes().await.is_empty(), "not applied, and not given up");

    world.wait(Duration::from_hours(25));
    world.until_quiet().await;
    assert_eq!(world.outcomes().await, ["unconfirmed"]);
    world.finish().await;
}

#[tokio::test]
async fn a_large_sum_is_not_credited_on_a_callbacks_word_alone() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "cancel", "delayMs": 2000, "callbacks": 0})).await;
    let id = world.top_up(&player, 50_000).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = Secret::steal(&world, &id).await;
    world.tell(&secret, &secret.paid(50_000, "LIE1")).await;
    eventually("the lie to be found out", || async {
        world.wait(Duration::from_secs(1));
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

    let secret = Secret::steal(&world, &id).await;
    let forged = secret.paid(100, "FORGED1").to_string().into_bytes();
    let answer = world.call_back(&"0".repeat(32), forged).await;
    assert_eq!(answer, StatusCode::NOT_FOUND);
    assert!(world.outcomes().await.is_empty(), "noise is not kept");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn a_receipt_is_worth_one_payment() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let first = world.top_up(&player, 100).await;
    world.until(&player, &first, PaymentStatus::Completed).await;
    let receipt = world.history(&player).await[0].payment.clone().unwrap().receipt.unwrap();

    // Even under a secret of ours, an old receipt buys nothing.
    world.phone(json!({"stk": "cancel", "delayMs": 600_000, "callbacks": 0})).await;
    let second = world.top_up(&player, 100).await;
    world.until(&player, &second, PaymentStatus::InProgress).await;
    let secret = Secret::steal(&world, &second).await;
    world.tell(&secret, &secret.paid(100, &receipt)).await;
    world.until_quiet().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.payment(&player, &second).await.unwrap().status(), PaymentStatus::InProgress);
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_for_one_payment_is_not_passed_over() {
    let world = World::new().await;
    let player = world.player();
    let (id, secret) = stolen(&world, &player, json!({"stk": "silent"})).await;
    world.tell(&secret, &secret.paid(100, "FIRST1")).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.tell(&secret, &secret.paid(100, "SECOND1")).await;
    world.until_quiet().await;
    assert_eq!(world.outcomes().await, ["applied", "second receipt"]);
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    let line = &world.history(&player).await[0];
    assert_eq!(line.payment.as_ref().unwrap().receipt.as_deref(), Some("FIRST1"));
    world.finish().await;
}

#[tokio::test]
async fn what_cannot_be_read_is_kept_and_moves_nothing() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = Secret::steal(&world, &id).await;
    for body in [&b"not json"[..], b"{}", b"\xff\xfe", b"[1,2,3]"] {
        assert!(world.call_back(&secret.text, body.to_vec()).await.is_success());
    }
    world.until_quiet().await;
    assert_eq!(world.outcomes().await, ["unreadable"; 4]);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}
