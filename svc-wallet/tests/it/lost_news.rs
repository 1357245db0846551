//! Providers' news that never comes, comes late, often or too early.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::{secret::Secret, world::World};

#[tokio::test]
async fn a_lost_callback_is_made_good_by_asking() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    assert_eq!(world.balance(&player).await, Money::ZERO);

    world.wait(Duration::from_secs(21));
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert!(world.callbacks().is_empty());
    world.finish().await;
}

#[tokio::test]
async fn a_receipt_that_comes_after_the_query_is_added() {
    let world = World::new().await;
    let player = world.player();
    world.hold_callbacks();
    world.phone(json!({"stk": "approve"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.wait(Duration::from_secs(21));
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
async fn the_same_callback_five_times_counts_once() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve", "callbacks": 5})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    eventually("five callbacks", || async { (world.callbacks().len() == 5).then_some(()) }).await;
    world.until_quiet().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.history(&player).await.len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_callback_before_darajas_reply_counts() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve", "disorder": true})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_that_nobody_speaks_of_expires_in_three_minutes_and_may_still_come() {
    let world = World::new().await;
    let player = world.player();
    world.hold_callbacks();
    world.phone(json!({"stk": "approve"})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the push", || async { (world.prompts().await == 1).then_some(()) }).await;

    // Daraja answered 500, so its name for the checkout is not known: there is
    // nothing to ask by.
    for age in [21, 41, 76, 121] {
        world.wait_until_age(age);
        world.until_asked_after(&id, age).await;
        assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    }
    // The question of the last moment has 15 s.
    world.wait_until_age(181);
    world.until_asked_after(&id, 181).await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    world.wait_until_age(196);
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(payment.message.contains("heard nothing"), "{}", payment.message);
    assert_eq!(world.balance(&player).await, Money::ZERO);

    // The phone was asked after all, and money that moved wins.
    world.release_callback().await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn with_daraja_down_nothing_is_moved_and_the_player_is_told() {
    let world = World::new().await;
    let player = world.player();
    world.fault(json!({"provider": "daraja", "kind": "spike", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(payment.message.contains("No money was moved"), "{}", payment.message);
    assert_eq!(world.bank_received().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_wallet_that_was_away_during_the_callback_settles_by_itself() {
    let mut world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.stop_wallet().await;
    world.enter_pin().await;
    eventually("the callback", || async { (!world.callbacks().is_empty()).then_some(()) }).await;

    world.start_wallet().await;
    world.wait(Duration::from_secs(21));
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_push_that_died_under_way_is_not_sent_again() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // As if we had died between asking and writing down the answer: the outbox
    // still has the push.
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
    world.until_quiet().await;
    assert_eq!(world.prompts().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_push_that_waited_too_long_rings_no_phone() {
    let mut world = World::new().await;
    let player = world.player();
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    // As if the relay had been away for two minutes.
    world.stop_wallet().await;
    sqlx::query(
        "WITH late AS (
             INSERT INTO payment (id, kind, method, payer_id, beneficiary_id, amount_cents, state,
                 detail, request_id, fingerprint, created_at, updated_at)
             SELECT gen_random_uuid(), kind, method, payer_id, beneficiary_id, amount_cents,
                 'CREATED', detail, 'late', fingerprint, created_at, updated_at
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
    world.wait(Duration::from_mins(2));
    world.start_wallet().await;
    world.until_quiet().await;
    let failure: Option<String> =
        sqlx::query_scalar("SELECT failure FROM payment WHERE request_id = 'late'")
            .fetch_one(&world.pool)
            .await
            .unwrap();
    assert_eq!(failure.as_deref(), Some("UNREACHABLE"));
    assert_eq!(world.prompts().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_reply_that_was_lost_is_made_good_by_the_callbacks_name_for_the_checkout() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve", "delayMs": 60_000, "callbacks": 0})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the push", || async { (world.prompts().await == 1).then_some(()) }).await;
    let mut secret = Secret::steal(&world, &id).await;
    secret.checkout = "ws_CO_told".to_owned();
    world.tell(&secret, &secret.result(4242)).await;
    world.until_quiet().await;
    let adopted: Option<String> = sqlx::query_scalar("SELECT checkout_request_id FROM stk_push")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(adopted.as_deref(), Some("ws_CO_told"));
    world.finish().await;
}

#[tokio::test]
async fn a_no_after_no_answer_is_asked_about_once_more() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // The callback says nobody answered; the phone paid all the same.
    let secret = Secret::steal(&world, &id).await;
    world.tell(&secret, &secret.result(1037)).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.wait(Duration::from_secs(121));
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_expires_though_nobody_gets_to_ask_about_it() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    sqlx::query("UPDATE stk_push SET query_due_at = 'infinity'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.wait_until_age(196);
    world.until(&player, &id, PaymentStatus::Error).await;
    world.finish().await;
}

#[tokio::test]
async fn a_question_that_daraja_was_too_busy_for_is_asked_again_soon() {
    for kind in ["spike", "unauthorized"] {
        let world = World::new().await;
        let player = world.player();
        world.phone(json!({"stk": "silent"})).await;
        let id = world.top_up(&player, 100).await;
        world.until(&player, &id, PaymentStatus::InProgress).await;
        world
            .fault(json!({"provider": "daraja", "kind": kind, "call": "stkquery", "count": 4}))
            .await;
        world.wait_until_age(21);
        world.until_asked_after(&id, 21).await;
        world.mend().await;
        // The schedule's next question would come at 40 s.
        world.wait_until_age(35);
        world.until(&player, &id, PaymentStatus::Completed).await;
        world.finish().await;
    }
}
