//! The probes of the public port.

use std::time::Duration;

use futures_util::future::join_all;
use gateway::config::UpstreamArgs;
use serde_json::{Value, json};
use tonic::Status;
use tonic_health::pb::HealthCheckRequest;

use crate::world::{Answer, NOWHERE, World, read};

/// How long the results of the health checks are reused.
const MAX_AGE: Duration = Duration::from_secs(1);

#[tokio::test]
async fn is_alive_without_upstreams() {
    let world = World::with(|args| {
        args.upstreams.auth_url = NOWHERE.into();
        args.upstreams.wallet_url = NOWHERE.into();
    })
    .await;
    assert_eq!(read(world.get("/healthz")).await.status, 200);
}

#[tokio::test]
async fn is_ready_once_tokens_can_be_verified() {
    let world = World::new().await;
    until_ready(&world).await;
    let world = World::with(|args| args.upstreams.auth_url = NOWHERE.into()).await;
    assert_eq!(read(world.get("/readyz")).await.status, 503);
}

#[tokio::test]
async fn stays_ready_when_its_upstreams_fail() {
    let world = World::with(|args| {
        let UpstreamArgs { wallet_url, games_url, .. } = &mut args.upstreams;
        *wallet_url = NOWHERE.into();
        *games_url = NOWHERE.into();
    })
    .await;
    until_ready(&world).await;
    world.stub.refuse(Status::unavailable("gone"));
    let services = json!({
        "auth": false, "wallet": false, "games": false, "tournament": false, "chat": false,
    });
    assert_eq!(until_status_is(&world, &services).await.status, 503);
    assert_eq!(read(world.get("/readyz")).await.status, 200);
}

async fn until_ready(world: &World) {
    testkit::eventually("the gateway is ready", async || {
        (read(world.get("/readyz")).await.status == 200).then_some(())
    })
    .await;
}

fn all_serving() -> Value {
    json!({"auth": true, "wallet": true, "games": true, "tournament": true, "chat": true})
}

/// Reads the status page until it lists these services: the first call connects to all of
/// them.
async fn until_status_is(world: &World, services: &Value) -> Answer {
    testkit::eventually("all running services have replied", async || {
        world.base.clock.advance(MAX_AGE);
        let answer = read(world.get("/statusz")).await;
        (answer.envelope()["payload"] == *services).then_some(answer)
    })
    .await
}

#[tokio::test]
async fn the_status_page_reports_each_service() {
    let world = World::new().await;
    assert_eq!(until_status_is(&world, &all_serving()).await.status, 200);

    let world = World::with(|args| args.upstreams.games_url = NOWHERE.into()).await;
    let mut services = all_serving();
    services["games"] = false.into();
    assert_eq!(until_status_is(&world, &services).await.status, 503);
}

#[tokio::test]
async fn probes_are_not_limited_and_share_one_check() {
    let world = World::with(|args| args.rates.guest = "1/1m".parse().unwrap()).await;
    let probes = || join_all((0..40).map(|_| read(world.get("/statusz"))));
    let checks = || world.stub.received::<HealthCheckRequest>().len();
    until_status_is(&world, &all_serving()).await;
    let before = checks();
    assert!(probes().await.iter().all(|answer| answer.status == 200));
    assert_eq!(checks(), before, "the results are reused");

    world.base.clock.advance(MAX_AGE);
    assert!(probes().await.iter().all(|answer| answer.status != 429));
    let services = checks() - before;
    assert!((1..=5).contains(&services), "{services} checks of five services");
}

#[tokio::test]
async fn results_are_reused_for_one_second() {
    let world = World::new().await;
    until_status_is(&world, &all_serving()).await;
    world.stub.refuse(Status::unavailable("gone"));
    assert_eq!(read(world.get("/statusz")).await.status, 200);
    world.base.clock.advance(MAX_AGE);
    assert_eq!(read(world.get("/statusz")).await.status, 503);
}
