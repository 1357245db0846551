//! What machines ask.

use std::time::Duration;

use futures_util::future::join_all;
use gateway::config::UpstreamArgs;
use serde_json::{Value, json};
use tonic::Status;
use tonic_health::pb::HealthCheckRequest;

use crate::world::{Answer, NOWHERE, World, read};

/// How long an answer is told again.
const MAX_AGE: Duration = Duration::from_secs(1);

#[tokio::test]
async fn alive_is_alive_without_anybody() {
    let world = World::with(|args| {
        args.upstreams.auth_url = NOWHERE.into();
        args.upstreams.wallet_url = NOWHERE.into();
    })
    .await;
    assert_eq!(read(world.get("/healthz")).await.status, 200);
}

#[tokio::test]
async fn ready_is_when_its_services_answer() {
    let world = World::new().await;
    assert_eq!(told(&world, &all_serving()).await.status, 200);
}

fn all_serving() -> Value {
    json!({"auth": true, "wallet": true, "games": true, "tournament": true, "chat": true})
}

/// Asks until this is the answer: who asks first has to dial all services at once.
async fn told(world: &World, services: &Value) -> Answer {
    testkit::eventually("all that are there have answered", async || {
        world.base.clock.advance(MAX_AGE);
        let answer = read(world.get("/readyz")).await;
        (answer.envelope()["payload"] == *services).then_some(answer)
    })
    .await
}

#[tokio::test]
async fn without_games_it_is_ready_and_says_so() {
    let world = World::with(|args| args.upstreams.games_url = NOWHERE.into()).await;
    let mut services = all_serving();
    services["games"] = false.into();
    assert_eq!(told(&world, &services).await.status, 200);
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
        assert_eq!(told(&world, &services).await.status, 503);
    }
}

#[tokio::test]
async fn a_crowd_of_probes_is_let_in_and_is_one_question() {
    let world = World::with(|args| args.rates.guest = "1/1m".parse().unwrap()).await;
    let crowd = || join_all((0..40).map(|_| read(world.get("/readyz"))));
    let asked = || world.stub.heard::<HealthCheckRequest>().len();
    told(&world, &all_serving()).await;
    let before = asked();
    assert!(crowd().await.iter().all(|answer| answer.status == 200));
    assert_eq!(asked(), before, "they are told what was said a moment ago");

    world.base.clock.advance(MAX_AGE);
    assert!(crowd().await.iter().all(|answer| answer.status != 429));
    let services = asked() - before;
    assert!((1..=5).contains(&services), "{services} questions for five services");
}

#[tokio::test]
async fn an_answer_is_told_again_for_a_moment_only() {
    let world = World::new().await;
    told(&world, &all_serving()).await;
    world.stub.refuse(Status::unavailable("gone"));
    assert_eq!(read(world.get("/readyz")).await.status, 200);
    world.base.clock.advance(MAX_AGE);
    assert_eq!(read(world.get("/readyz")).await.status, 503);
}
