//! Watching payments.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{WatchPaymentsRequest, WatchPaymentsResponse},
};
use serde_json::json;
use tonic::{Code, Streaming};

use crate::world::{Player, World, bearing, reason};

async fn watch(world: &World, player: &Player, ids: &[&str]) -> Streaming<WatchPaymentsResponse> {
    let request =
        WatchPaymentsRequest { payment_ids: ids.iter().map(ToString::to_string).collect() };
    world.client().watch_payments(bearing(&player.token, request)).await.unwrap().into_inner()
}

async fn statuses(mut stream: Streaming<WatchPaymentsResponse>) -> Vec<PaymentStatus> {
    let mut seen = Vec::new();
    while let Some(update) = stream.message().await.unwrap() {
        seen.push(update.status());
    }
    seen
}

#[tokio::test]
async fn a_watcher_gets_the_state_and_every_change_and_then_the_end() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    let mut stream = watch(&world, &player, &[&id]).await;
    while stream.message().await.unwrap().unwrap().status() != PaymentStatus::InProgress {}
    world.enter_pin().await;
    assert_eq!(statuses(stream).await, [PaymentStatus::Completed]);
    world.finish().await;
}

#[tokio::test]
async fn watching_a_final_payment_sends_its_state_and_ends() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "cancel"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    let stream = watch(&world, &player, &[&id]).await;
    let seen = tokio::time::timeout(Duration::from_secs(30), statuses(stream)).await.unwrap();
    assert_eq!(seen, [PaymentStatus::Error]);
    world.finish().await;
}

#[tokio::test]
async fn refuses_to_watch_another_players_payment() {
    let world = World::new().await;
    let (player, stranger) = (world.player(), world.player());
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    let own = world.top_up(&stranger, 100).await;
    let request = WatchPaymentsRequest { payment_ids: vec![id.clone(), own] };
    let refused = world.client().watch_payments(bearing(&stranger.token, request.clone())).await;
    let refused = refused.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::PermissionDenied, "NOT_YOUR_PAYMENT".into())
    );
    let params = mesh::Fault::from_status(&refused).params;
    assert_eq!(params, [("payments".into(), id)], "which it is");
    let guest = world.client().watch_payments(request).await.unwrap_err();
    assert_eq!(guest.code(), Code::Unauthenticated);
    world.finish().await;
}

#[tokio::test]
async fn a_watcher_of_twenty_payments_gets_the_state_of_each() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        // All pushes but the first find the phone busy.
        ids.push(world.top_up(&player, 1).await);
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut stream = watch(&world, &player, &ids).await;
    let mut seen = std::collections::HashSet::new();
    while seen.len() < 20 {
        seen.insert(stream.message().await.unwrap().expect("another update").payment_id);
    }
    world.finish().await;
}

#[tokio::test]
async fn a_published_change_is_sent_before_the_next_read() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    let mut stream = watch(&world, &player, &[&id]).await;
    while stream.message().await.unwrap().unwrap().status() != PaymentStatus::InProgress {}
    world.enter_pin().await;
    // A watcher reads by itself only every 15 s, so a message caused this update.
    let update = tokio::time::timeout(Duration::from_secs(8), stream.message()).await.unwrap();
    assert_eq!(update.unwrap().unwrap().status(), PaymentStatus::Completed);
    world.finish().await;
}

#[tokio::test]
async fn without_redis_payments_complete_and_watchers_read_by_themselves() {
    let world = World::with(|args| args.redis_url = "redis://127.0.0.1:1/".parse().unwrap()).await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let stream = watch(&world, &player, &[&id]).await;
    world.enter_pin().await;
    let seen = statuses(stream).await;
    assert_eq!(seen.last(), Some(&PaymentStatus::Completed));
    world.finish().await;
}

#[tokio::test]
async fn a_change_that_was_not_published_is_read_within_15_seconds() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    let mut stream = watch(&world, &player, &[&id]).await;
    while stream.message().await.unwrap().unwrap().status() != PaymentStatus::InProgress {}
    sqlx::query("UPDATE payment SET state = 'EXPIRED', failure = 'EXPIRED'")
        .execute(&world.pool)
        .await
        .unwrap();
    assert_eq!(statuses(stream).await, [PaymentStatus::Error]);
    world.finish().await;
}

#[tokio::test]
async fn a_player_has_32_watchers_at_the_same_time() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    let mut streams = Vec::new();
    for _ in 0..32 {
        streams.push(watch(&world, &player, &[&id]).await);
    }
    let request = || WatchPaymentsRequest { payment_ids: vec![id.clone()] };
    let mut client = world.client();
    let refused = client.watch_payments(bearing(&player.token, request())).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::ResourceExhausted, "TOO_MANY_STREAMS".into())
    );
    drop(streams);
    testkit::eventually("a permit", async || {
        world.client().watch_payments(bearing(&player.token, request())).await.ok()
    })
    .await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.enter_pin().await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn refuses_to_watch_none_or_more_than_twenty() {
    let world = World::new().await;
    let player = world.player();
    for ids in [vec![], vec!["0193a4f0-0000-7000-8000-00000000beef".to_owned(); 21]] {
        let request = WatchPaymentsRequest { payment_ids: ids };
        let refused =
            world.client().watch_payments(bearing(&player.token, request)).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    world.finish().await;
}

#[tokio::test]
async fn a_stop_ends_the_stream_with_unavailable() {
    let mut world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let mut stream = watch(&world, &player, &[&id]).await;
    assert_eq!(stream.message().await.unwrap().unwrap().status(), PaymentStatus::InProgress);
    world.stop_wallet().await;
    assert_eq!(stream.message().await.unwrap_err().code(), Code::Unavailable);
    world.start_wallet().await;
    world.finish().await;
}
