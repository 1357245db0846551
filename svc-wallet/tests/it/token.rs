//! Daraja's access token: a new one cancels the one before.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::world::{World, english};

#[tokio::test]
async fn a_refused_token_is_replaced() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    // Daraja refuses two tokens: another replica may have cancelled the new one, too.
    world.fault(json!({"provider": "daraja", "kind": "unauthorized", "count": 2})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.prompts().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_token_that_another_replica_cancelled_is_replaced() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    world.cancel_token().await;
    world.give(&player, 100).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(200));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_fails_without_a_prompt_when_no_token_is_accepted() {
    let world = World::new().await;
    let player = world.player();
    world.fault(json!({"provider": "daraja", "kind": "unauthorized", "count": 100})).await;
    let id = world.top_up(&player, 100).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("could not reach M-Pesa"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.prompts().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_top_up_waits_for_a_short_outage_of_daraja() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "token"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the first try", || async { (world.faults_left().await == 0).then_some(()) }).await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    eventually("the second try", || async {
        // The retries take less than 15 s in all, after which the payment fails.
        if world.age() < Duration::from_secs(14) {
            world.wait(Duration::from_secs(1)).await;
        }
        let status = world.payment(&player, &id).await.unwrap().status();
        (status == PaymentStatus::Completed).then_some(())
    })
    .await;
    world.finish().await;
}

#[tokio::test]
async fn a_top_up_fails_after_15_seconds_without_daraja() {
    let world = World::new().await;
    let player = world.player();
    let outage = json!({"provider": "daraja", "kind": "down", "call": "token", "count": 100});
    world.fault(outage).await;
    let id = world.top_up(&player, 100).await;
    eventually("the first try", || async { (world.faults_left().await < 100).then_some(()) }).await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    world.wait(Duration::from_secs(15)).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("could not reach M-Pesa"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.prompts().await, 0);
    world.finish().await;
}
