//! Callbacks and replies that are lost, late, repeated or early.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::{
    callback_secret::CallbackSecret,
    world::{World, english},
};

#[tokio::test]
async fn a_query_replaces_a_lost_callback() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    assert_eq!(world.balance(&player).await, Money::ZERO);

    world.wait(Duration::from_secs(21)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert!(world.callbacks().is_empty());
    world.finish().await;
}

#[tokio::test]
async fn a_callback_after_the_query_adds_the_receipt() {
    let world = World::new().await;
    let player = world.player();
    world.hold_callbacks();
    world.phone(json!({"stk": "approve"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.wait(Duration::from_secs(21)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.history(&player).await[0].payment.as_ref().unwrap().receipt, None);
    world.release_callback().await;
    eventually("a receipt", || async {
        let history = world.history(&player).await;
        history[0].payment.as_ref().unwrap().receipt.clone()
    })
    .await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_callback_that_comes_five_times_is_applied_once() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve", "callbacks": 5})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    eventually("five callbacks", || async { (world.callbacks().len() == 5).then_some(()) }).await;
    world.until_outbox_empty().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.history(&player).await.len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_callback_before_darajas_reply_is_applied() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve", "disorder": true})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_without_evidence_expires_after_three_minutes_and_can_still_be_credited() {
    let world = World::new().await;
    let player = world.player();
    world.hold_callbacks();
    world.phone(json!({"stk": "approve"})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the push", || async { (world.prompts().await == 1).then_some(()) }).await;

    // Daraja replied 500, so the checkout's id is unknown and cannot be queried.
    for age in [21, 41, 76, 121] {
        world.wait_until_age(age).await;
        world.until_queried_after(&id, age).await;
        assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    }
    // The query at the expiry has 15 s to be answered.
    world.wait_until_age(181).await;
    world.until_queried_after(&id, 181).await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    world.wait_until_age(196).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("has not confirmed"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.balance(&player).await, Money::ZERO);

    // The phone got the prompt and paid late: money that moved always wins.
    world.release_callback().await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_fails_when_daraja_is_too_busy() {
    let world = World::new().await;
    let player = world.player();
    world.fault(json!({"provider": "daraja", "kind": "spike", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("No money was moved"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.bank_received().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_payment_is_settled_after_a_restart_that_missed_its_callback() {
    let mut world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.stop_wallet().await;
    world.enter_pin().await;
    eventually("the callback", || async { (!world.callbacks().is_empty()).then_some(()) }).await;

    world.start_wallet().await;
    world.wait(Duration::from_secs(21)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_push_is_not_sent_again_after_a_crash() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // Simulate a crash between sending the push and storing the reply: the outbox still has the
    // row.
    sqlx::query("UPDATE payment SET state = 'SUBMITTING'").execute(&world.pool).await.unwrap();
    sqlx::query(
        "INSERT INTO outbox (id, topic, payload, due_at, created_at)
         VALUES (gen_random_uuid(), 'stk.push', jsonb_build_object('payment', $1::text),
                 '2026-01-01', '2026-01-01')",
    )
    .bind(&id)
    .execute(&world.pool)
    .await
    .unwrap();
    world.until_outbox_empty().await;
    assert_eq!(world.prompts().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_push_that_is_too_old_is_not_sent() {
    let mut world = World::new().await;
    let player = world.player();
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    // Simulate two minutes without a relay.
    world.stop_wallet().await;
    sqlx::query(
        "WITH late AS (
             INSERT INTO payment (id, kind, method, payer_id, beneficiary_id, amount_cents, state,
                 detail, request_digest, fingerprint, created_at, updated_at)
             SELECT gen_random_uuid(), kind, method, payer_id, beneficiary_id, amount_cents,
                 'CREATED', detail, '00000000-0000-7000-8000-00000000001a', fingerprint, created_at, updated_at
             FROM payment RETURNING id
         ), push AS (
             INSERT INTO stk_push (payment_id, msisdn, created_at)
             SELECT id, '254712345678', '2026-01-01' FROM late
         )
         INSERT INTO outbox (id, topic, payload, due_at, created_at)
         SELECT id, 'stk.push', jsonb_build_object('payment', id), '2026-01-01', '2026-01-01'
         FROM late",
    )
    .execute(&world.pool)
    .await
    .unwrap();
    world.wait(Duration::from_mins(2)).await;
    world.start_wallet().await;
    world.until_outbox_empty().await;
    let failure: Option<String> = sqlx::query_scalar(
        "SELECT failure FROM payment
             WHERE request_digest = '00000000-0000-7000-8000-00000000001a'",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!(failure.as_deref(), Some("UNREACHABLE"));
    assert_eq!(world.prompts().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_callback_replaces_the_checkout_id_of_a_lost_reply() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve", "delayMs": 60_000, "callbacks": 0})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the push", || async { (world.prompts().await == 1).then_some(()) }).await;
    let mut secret = CallbackSecret::replace(&world, &id).await;
    secret.checkout = "ws_CO_from_callback".to_owned();
    world.send_callback(&secret, &secret.result(4242)).await;
    world.until_outbox_empty().await;
    let adopted: Option<String> = sqlx::query_scalar("SELECT checkout_request_id FROM stk_push")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(adopted.as_deref(), Some("ws_CO_from_callback"));
    world.finish().await;
}

#[tokio::test]
async fn a_no_answer_refusal_is_queried_once_more() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // The callback says that the prompt was not answered, but the phone paid.
    let secret = CallbackSecret::replace(&world, &id).await;
    world.send_callback(&secret, &secret.result(1037)).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.wait(Duration::from_secs(121)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_expires_even_when_it_is_never_queried() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    sqlx::query("UPDATE stk_push SET query_due_at = 'infinity'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.wait_until_age(196).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.finish().await;
}

#[tokio::test]
async fn a_query_that_daraja_was_too_busy_for_is_retried_soon() {
    for kind in ["spike", "unauthorized"] {
        let world = World::new().await;
        let player = world.player();
        world.phone(json!({"stk": "silent"})).await;
        let id = world.top_up(&player, 100).await;
        world.until(&player, &id, PaymentStatus::InProgress).await;
        world
            .fault(json!({"provider": "daraja", "kind": kind, "call": "stkquery", "count": 4}))
            .await;
        world.wait_until_age(21).await;
        world.until_queried_after(&id, 21).await;
        world.clear_faults().await;
        // The next scheduled query would be at 40 s.
        world.wait_until_age(35).await;
        world.until(&player, &id, PaymentStatus::Completed).await;
        world.finish().await;
    }
}
