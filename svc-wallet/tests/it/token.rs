//! Daraja's access token, of which one is good at a time.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::world::World;

#[tokio::test]
async fn a_token_that_the_door_refuses_is_renewed() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    // Twice: another replica may have cancelled the new one, too.
    world.fault(json!({"provider": "daraja", "kind": "unauthorized", "count": 2})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.prompts().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_token_that_another_replica_cancelled_is_renewed() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    world.cancel_token().await;
    world.give(&player, 100).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(200));
    world.finish().await;
}

#[tokio::test]
async fn where_no_token_is_good_no_phone_is_asked_and_the_player_is_told() {
    let world = World::new().await;
    let player = world.player();
    world.fault(json!({"provider": "daraja", "kind": "unauthorized", "count": 100})).await;
    let id = world.top_up(&player, 100).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(payment.message.contains("could not reach M-Pesa"), "{}", payment.message);
    assert_eq!(world.prompts().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_tap_waits_for_a_daraja_that_is_away_for_a_moment() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "token"})).await;
    let id = world.top_up(&player, 100).await;
    eventually("the first try", || async { (world.faults().await == 0).then_some(()) }).await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    eventually("the second try", || async {
        // Not so far that the tap grows too old.
        if world.age() < Duration::from_secs(14) {
            world.wait(Duration::from_secs(1));
        }
        let status = world.payment(&player, &id).await.unwrap().status();
        (status == PaymentStatus::Completed).then_some(())
    })
    .await;
    world.finish().await;
}

#[tokio::test]
async fn a_tap_does_not_wait_long_for_a_daraja_that_is_away() {
    let world = World::new().await;
    let player = world.player();
    let away = json!({"provider": "daraja", "kind": "down", "call": "token", "count": 100});
    world.fault(away).await;
    let id = world.top_up(&player, 100).await;
    eventually("the first try", || async { (world.faults().await < 100).then_some(()) }).await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    world.wait(Duration::from_secs(15));
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(payment.message.contains("could not reach M-Pesa"), "{}", payment.message);
    assert_eq!(world.prompts().await, 0);
    world.finish().await;
}
