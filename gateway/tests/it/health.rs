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
async fn alive_needs_no_upstream() {
    let world = World::with(|args| {
        args.upstreams.auth_url = NOWHERE.into();
        args.upstreams.wallet_url = NOWHERE.into();
    })
    .await;
    assert_eq!(read(world.get("/healthz")).await.status, 200);
}

#[tokio::test]
async fn ready_while_the_upstreams_serve() {
    let world = World::new().await;
    assert_eq!(until_ready_is(&world, &all_serving()).await.status, 200);
}

fn all_serving() -> Value {
    json!({"auth": true, "wallet": true, "games": true, "tournament": true, "chat": true})
}

/// Probes until this is the reply: the first probe has to dial all services.
async fn until_ready_is(world: &World, services: &Value) -> Answer {
    testkit::eventually("all running services have replied", async || {
        world.base.clock.advance(MAX_AGE);
        let answer = read(world.get("/readyz")).await;
        (answer.envelope()["payload"] == *services).then_some(answer)
    })
    .await
}

#[tokio::test]
async fn without_games_it_is_ready_and_names_them() {
    let world = World::with(|args| args.upstreams.games_url = NOWHERE.into()).await;
    let mut services = all_serving();
    services["games"] = false.into();
    assert_eq!(until_ready_is(&world, &services).await.status, 200);
}

#[tokio::test]
async fn without_auth_or_wallet_it_is_not_ready() {
    for away in ["auth", "wallet"] {
        let world = World::with(|args| {
            let UpstreamArgs { auth_url, wallet_url, .. } = &mut args.upstreams;
            *if away == "auth" { auth_url } else { wallet_url } = NOWHERE.into();
        })
        .await;
        let mut services = all_serving();
        services[away] = false.into();
        assert_eq!(until_ready_is(&world, &services).await.status, 503);
    }
}

#[tokio::test]
async fn probes_are_not_limited_and_share_one_check() {
    let world = World::with(|args| args.rates.guest = "1/1m".parse().unwrap()).await;
    let probes = || join_all((0..40).map(|_| read(world.get("/readyz"))));
    let checks = || world.stub.received::<HealthCheckRequest>().len();
    until_ready_is(&world, &all_serving()).await;
    let before = checks();
    assert!(probes().await.iter().all(|answer| answer.status == 200));
    assert_eq!(checks(), before, "the results are reused");

    world.base.clock.advance(MAX_AGE);
    assert!(probes().await.iter().all(|answer| answer.status != 429));
    let services = checks() - before;
    assert!((1..=5).contains(&services), "{services} checks of five services");
}

#[tokio::test]
async fn the_results_are_reused_for_a_second_alone() {
    let world = World::new().await;
    until_ready_is(&world, &all_serving()).await;
    world.stub.refuse(Status::unavailable("gone"));
    assert_eq!(read(world.get("/readyz")).await.status, 200);
    world.base.clock.advance(MAX_AGE);
    assert_eq!(read(world.get("/readyz")).await.status, 503);
}
