//! Each way a top-up can end when the provider tells us: the right final state
//! and balance, and money moved at most once.

use journeys::{Mesh, Player, Reply};
use serde_json::{Value, json};
use types::Money;

/// A newcomer whose phone does as the script says when asked for KES 100, and
/// the payment as it ended.
async fn top_up(script: Value) -> (Mesh, Player, Value) {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(script).await;
    let id = player.top_up(100).await;
    let payment = player.until_final(&id).await;
    (mesh, player, payment)
}

/// It failed, the player is told why, and nothing moved.
async fn fails(script: &str, words: &str) {
    let (_mesh, player, payment) = top_up(json!({"stk": script})).await;
    assert_eq!(payment["status"], "ERROR", "{script}");
    let message = payment["message"].as_str().unwrap();
    assert!(message.contains(words), "{script}: {message}");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn approved() {
    let (_mesh, player, payment) = top_up(json!({"stk": "approve"})).await;
    assert_eq!(payment["status"], "COMPLETED");
    assert_eq!(payment["message"], "Top up request was processed successfully!");
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn cancelled() {
    fails("cancel", "You cancelled").await;
}

#[tokio::test]
async fn wrong_pin() {
    fails("wrong_pin", "PIN was wrong").await;
}

#[tokio::test]
async fn low_funds() {
    fails("insufficient", "balance is too low").await;
}

#[tokio::test]
async fn timed_out() {
    fails("timeout", "Nobody answered").await;
}

#[tokio::test]
async fn switched_off() {
    fails("unreachable", "Nobody answered").await;
}

#[tokio::test]
async fn five_callbacks() {
    let (mesh, player, payment) = top_up(json!({"stk": "approve", "callbacks": 5})).await;
    assert_eq!(payment["status"], "COMPLETED");
    let pushes = journeys::eventually("all five are posted", || async {
        let pushes = mesh.sandbox().pushes_to(&player.phone).await;
        (pushes[0].deliveries.len() == 5).then_some(pushes)
    })
    .await;
    let welcome = pushes[0].deliveries.iter().all(|delivery| delivery.status == Some(200));
    assert!(welcome, "each callback is accepted: {pushes:?}");
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn the_callback_before_the_reply() {
    let (_mesh, player, payment) = top_up(json!({"stk": "approve", "disorder": true})).await;
    assert_eq!(payment["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn five_no_before_the_reply() {
    let script = json!({"stk": "cancel", "disorder": true, "callbacks": 5});
    let (_mesh, player, payment) = top_up(script).await;
    assert_eq!(payment["status"], "ERROR");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn the_largest_sum() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "approve"})).await;
    let id = player.top_up(250_000).await;
    assert_eq!(player.until_final(&id).await["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(250_000)).await;
}

#[tokio::test]
async fn another_amount_is_set_aside() {
    let (mesh, player, payment) = top_up(json!({"stk": "wrong_amount"})).await;
    assert_eq!(payment["status"], "ERROR");
    assert!(payment["message"].as_str().unwrap().contains("another amount"));
    assert_eq!(player.balance().await, Money::ZERO);
    assert_eq!(player.paid_by_phone().await, Money::from_shillings(101));
    mesh.prove().await;
}

#[tokio::test]
async fn a_phone_that_nobody_pays_with_is_left_in_peace_whoever_asks() {
    let mesh = Mesh::from_env();
    let (owner, mut stranger) = (mesh.newcomer().await, mesh.newcomer().await);
    owner.habit(json!({"stk": "cancel"})).await;
    stranger.phone.clone_from(&owner.phone);
    for _ in 0..5 {
        let id = stranger.top_up(100).await;
        assert_eq!(stranger.until_final(&id).await["status"], "ERROR");
    }
    for player in [&stranger, &owner] {
        let body = player.top_up_body(100).await;
        let reply = Reply::to(player.top_up_call(&mesh.new_name(), &body)).await;
        assert_eq!(reply.refusal(), (429, "PHONE_RATE_LIMITED"));
        let wait: u64 = reply.headers["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=60 * 60).contains(&wait), "{wait}");
    }
    assert_eq!(mesh.sandbox().pushes_to(&owner.phone).await.len(), 5);
    owner.reconcile(Money::ZERO).await;
}
