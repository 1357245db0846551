//! What machines ask.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tonic::Status;
use tonic_health::pb::HealthCheckRequest;

use crate::world::{NOWHERE, World, read};

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
    assert_eq!(
        read(world.get("/readyz")).await.payload(),
        json!({"auth": true, "wallet": true, "games": true, "tournament": true, "chat": true})
    );
}

#[tokio::test]
async fn without_games_it_is_ready_and_says_so() {
    let world = World::with(|args| args.upstreams.games_url = NOWHERE.into()).await;
    assert_eq!(read(world.get("/readyz")).await.payload()["games"], false);
}

#[tokio::test]
async fn without_auth_or_wallet_it_is_not_ready() {
    for change in
        [(|args| args.upstreams.auth_url = NOWHERE.into()) as fn(&mut gateway::Args), |args| {
            args.upstreams.wallet_url = NOWHERE.into();
        }]
    {
        let world = World::with(change).await;
        let answer = read(world.get("/readyz")).await;
        assert_eq!(answer.status, 503);
        assert_eq!(answer.envelope()["payload"]["games"], true);
    }
}

#[tokio::test]
async fn a_crowd_of_probes_is_let_in_and_is_one_question() {
    let world = World::with(|args| args.rates.guest = "1/1m".parse().unwrap()).await;
    let answers = join_all((0..40).map(|_| read(world.get("/readyz")))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    // Five services are asked; a second time if this machine stood still.
    let asked = world.stub.heard::<HealthCheckRequest>().len();
    assert!(asked <= 10, "{asked}");
}

#[tokio::test]
async fn an_answer_is_told_again_for_a_moment_only() {
    let world = World::new().await;
    assert_eq!(read(world.get("/readyz")).await.status, 200);
    world.stub.refuse(Status::unavailable("gone"));
    tokio::time::sleep(Duration::from_millis(1_010)).await;
    assert_eq!(read(world.get("/readyz")).await.status, 503);
}
