//! Two replicas on one database.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::{
    callback_secret::CallbackSecret,
    world::{World, bearing},
};

#[tokio::test]
async fn replicas_fetch_one_access_token_between_them() {
    let mut world = World::new().await;
    world.start_replica().await;
    world.phone(json!({"stk": "manual"})).await;
    // The daily match may have fetched a token already.
    eventually("the day is matched", async || {
        let done = "SELECT count(*) FROM daily_job WHERE leased_until IS NULL";
        let done: i64 = sqlx::query_scalar(done).fetch_one(&world.pool).await.unwrap();
        (done > 0).then_some(())
    })
    .await;
    world.cancel_token().await;
    // Delay the token, so that the other replica looks for one meanwhile.
    slow_down(&world, "token").await;
    // Each replica delivers its own push at once.
    let request = world.request(100, "a-key").await;
    let (one, two) = (world.player(), world.player());
    let (one, two) = (bearing(&one.token, request.clone()), bearing(&two.token, request));
    let (mut client, mut replica) = (world.client(), world.replica_client());
    let (one, two) = tokio::join!(client.top_up(one), replica.top_up(two));
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    world.until_outbox_empty().await;
    assert_eq!(world.faults_left().await, 99, "one call for a token");
    world.finish().await;
}

#[tokio::test]
async fn replicas_send_each_due_query_once() {
    let mut world = World::new().await;
    world.start_replica().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    slow_down(&world, "stkquery").await;
    world.wait(Duration::from_secs(21)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.faults_left().await, 99, "one query");
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_lease_holds_by_the_databases_clock_and_ends_by_it() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // Simulate another replica that leased the push and died.
    lease(&world, "2 minutes").await;
    // The lease is over by the replica's own clock.
    world.wait(Duration::from_mins(5)).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    lease(&world, "-1 second").await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.finish().await;
}

/// Delays the next 100 calls of this kind, so that [`World::faults_left`] counts them.
async fn slow_down(world: &World, call: &str) {
    let fault = json!({"provider": "daraja", "kind": "slow", "call": call,
        "count": 100, "delayMs": 300});
    world.fault(fault).await;
}

/// Leases all pushes for this long, by the database's clock.
async fn lease(world: &World, duration: &str) {
    sqlx::query("UPDATE stk_push SET leased_until = now() + $1::interval")
        .bind(duration)
        .execute(&world.pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_dispute_during_a_query_plans_another() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    // Simulate a replica that queries the push now.
    lease(&world, "1 hour").await;
    world.send_callback(&secret, &secret.result(4242)).await;
    world.until_outbox_empty().await;
    let leased: bool = sqlx::query_scalar("SELECT leased_until IS NOT NULL FROM stk_push")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert!(!leased, "the reply to that query may be older than the callback");
    assert!(world.is_query_planned(&id).await);
    world.finish().await;
}
