//! Every outcome of a top-up by a callback leads to the right final state and balance, and money
//! moves at most once.

use journeys::{Mesh, Player, Reply};
use serde_json::{Value, json};
use types::Money;

/// A new player whose handset follows a script tops up KES 100. Returns the final
/// payment.
async fn top_up(script: Value) -> (Mesh, Player, Value) {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(script).await;
    let id = player.top_up(100).await;
    let payment = player.until_final(&id).await;
    (mesh, player, payment)
}

/// Asserts that the payment failed, that its message has this text, and that no money
/// moved.
async fn fails(script: &str, text: &str) {
    let (_mesh, player, payment) = top_up(json!({"stk": script})).await;
    assert_eq!(payment["status"], "ERROR", "{script}");
    let message = payment["message"].as_str().unwrap();
    assert!(message.contains(text), "{script}: {message}");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn an_approved_prompt_credits_the_wallet() {
    let (_mesh, player, payment) = top_up(json!({"stk": "approve"})).await;
    assert_eq!(payment["status"], "COMPLETED");
    assert_eq!(payment["message"], "Top up request was processed successfully!");
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn a_cancelled_prompt_fails_the_payment() {
    fails("cancel", "You cancelled").await;
}

#[tokio::test]
async fn a_wrong_pin_fails_the_payment() {
    fails("wrong_pin", "PIN was wrong").await;
}

#[tokio::test]
async fn a_low_mpesa_balance_fails_the_payment() {
    fails("insufficient", "balance is too low").await;
}

#[tokio::test]
async fn a_prompt_that_times_out_fails_the_payment() {
    fails("timeout", "You did not enter your PIN").await;
}

#[tokio::test]
async fn an_unreachable_phone_fails_the_payment() {
    fails("unreachable", "You did not enter your PIN").await;
}

#[tokio::test]
async fn repeated_callbacks_credit_the_wallet_once() {
    let (mesh, player, payment) = top_up(json!({"stk": "approve", "callbacks": 5})).await;
    assert_eq!(payment["status"], "COMPLETED");
    let pushes = journeys::eventually("all five callbacks are posted", || async {
        let pushes = mesh.sandbox().pushes_to(&player.phone).await;
        (pushes[0].deliveries.len() == 5).then_some(pushes)
    })
    .await;
    let accepted = pushes[0].deliveries.iter().all(|delivery| delivery.status == Some(200));
    assert!(accepted, "each callback is accepted: {pushes:?}");
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn a_callback_before_the_reply_to_the_push_is_accepted() {
    let (_mesh, player, payment) = top_up(json!({"stk": "approve", "disorder": true})).await;
    assert_eq!(payment["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn repeated_failure_callbacks_before_the_reply_fail_the_payment() {
    let script = json!({"stk": "cancel", "disorder": true, "callbacks": 5});
    let (_mesh, player, payment) = top_up(script).await;
    assert_eq!(payment["status"], "ERROR");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn the_largest_amount_is_credited() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let id = player.top_up(250_000).await;
    assert_eq!(player.until_final(&id).await["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(250_000)).await;
}

#[tokio::test]
async fn a_payment_of_another_amount_is_not_credited() {
    let (mesh, player, payment) = top_up(json!({"stk": "wrong_amount"})).await;
    assert_eq!(payment["status"], "ERROR");
    assert!(payment["message"].as_str().unwrap().contains("different amount"));
    assert_eq!(player.balance().await, Money::ZERO);
    assert_eq!(player.paid_by_phone().await, Money::from_shillings(101));
    mesh.prove().await;
}

#[tokio::test]
async fn unpaid_prompts_to_a_phone_are_limited_across_players() {
    let mesh = Mesh::from_env();
    let (owner, mut stranger) = (mesh.new_player().await, mesh.new_player().await);
    owner.set_handset(json!({"stk": "cancel"})).await;
    stranger.phone.clone_from(&owner.phone);
    for _ in 0..5 {
        let id = stranger.top_up(100).await;
        assert_eq!(stranger.until_final(&id).await["status"], "ERROR");
    }
    for player in [&stranger, &owner] {
        let body = player.top_up_body(100).await;
        let reply = Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await;
        assert_eq!(reply.refusal(), (429, "PHONE_RATE_LIMITED"));
        let wait: u64 = reply.headers["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=60 * 60).contains(&wait), "{wait}");
    }
    assert_eq!(mesh.sandbox().pushes_to(&owner.phone).await.len(), 5);
    owner.reconcile(Money::ZERO).await;
}
