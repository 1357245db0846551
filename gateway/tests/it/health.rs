//! What machines ask.

use serde_json::json;

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
