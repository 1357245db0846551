//! Idempotency keys: a client that lost its connection repeats the request.

use futures_util::future::join_all;
use journeys::{Mesh, Reply};
use serde_json::json;
use types::Money;

#[tokio::test]
async fn repeated_requests_with_one_key_make_one_payment() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let (key, body) = (mesh.unique_id(), player.top_up_body(100).await);

    let at_once = (0..8).map(|_| Reply::to(player.top_up_call(&key, &body)));
    let mut ids: Vec<_> = join_all(at_once)
        .await
        .into_iter()
        .map(|reply| reply.ok()["paymentId"].as_str().unwrap().to_owned())
        .collect();
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert_eq!(player.until_final(&ids[0]).await["status"], "COMPLETED");

    let afterwards = Reply::to(player.top_up_call(&key, &body)).await.ok();
    assert_eq!(afterwards["paymentId"], ids[0].as_str());
    assert_eq!(mesh.sandbox().pushes_to(&player.phone).await.len(), 1);
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn one_key_with_other_content_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let key = mesh.unique_id();
    let first = Reply::to(player.top_up_call(&key, &player.top_up_body(100).await)).await.ok();
    let other = Reply::to(player.top_up_call(&key, &player.top_up_body(200).await)).await;
    assert_eq!(other.refusal(), (422, "IDEMPOTENCY_KEY_REUSED"));
    player.until_final(first["paymentId"].as_str().unwrap()).await;
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn two_players_can_use_the_same_key() {
    let mesh = Mesh::from_env();
    let (one, other) = (mesh.new_player().await, mesh.new_player().await);
    let key = mesh.unique_id();
    let mut payments = Vec::new();
    for player in [&one, &other] {
        player.set_handset(json!({"stk": "approve"})).await;
        let body = player.top_up_body(100).await;
        payments.push(Reply::to(player.top_up_call(&key, &body)).await.ok());
    }
    assert_ne!(payments[0]["paymentId"], payments[1]["paymentId"]);
    for (player, payment) in [&one, &other].into_iter().zip(&payments) {
        player.until_final(payment["paymentId"].as_str().unwrap()).await;
        player.reconcile(Money::from_shillings(100)).await;
    }
}
