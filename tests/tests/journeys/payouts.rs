//! Money that leaves by M-Pesa: at once to its honest owner, and not with a thief.

use std::time::Duration;

use journeys::{Mesh, Player, Reply};
use serde_json::json;

/// Returns the id of a payment that was accepted.
fn accepted(reply: Reply) -> String {
    reply.ok()["paymentId"].as_str().unwrap().to_owned()
}

/// Asserts that a withdrawal is accepted and held, and that its player reads why.
async fn assert_held(player: &Player, reply: Reply, why: &str) {
    let id = accepted(reply);
    let payment = player.payment(&id).await;
    assert_eq!(payment["status"], "PENDING", "{payment}");
    assert!(payment["heldUntil"].is_string(), "{payment}");
    let text = payment["message"].as_str().unwrap();
    assert!(text.starts_with(why) && text.ends_with("Your money is safe."), "{text}");
}

#[tokio::test]
async fn an_honest_player_has_the_first_shillings_in_seconds() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let paid_in = player.top_up(600).await;
    assert_eq!(player.until_final(&paid_in).await["status"], "COMPLETED");
    player.prove_phone(&player.phone).await;
    let id = accepted(player.withdraw(&player.phone, 500).await);
    let payment = player.until_final_within(Duration::from_secs(10), &id).await;
    assert_eq!(payment["status"], "COMPLETED", "{payment}");
    assert_eq!(mesh.sandbox().paid_out_to(&player.phone).await.len(), 1);
}

#[tokio::test]
async fn no_money_goes_to_a_phone_that_was_not_proven() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.new_player().await, mesh.new_phone());
    let reply = player.withdraw(&stranger, 100).await;
    assert_eq!(reply.refusal(), (403, "PAYOUT_PHONE_NOT_PROVEN"));
    let listed = player.get("/payout-phones").await.ok();
    assert_eq!(listed, json!({"phones": []}));
}

#[tokio::test]
async fn a_stolen_card_is_not_cashed_behind_a_small_withdrawal() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.top_up_by_card(250_000).await;
    player.prove_phone(&player.phone).await;
    let small = accepted(player.withdraw(&player.phone, 10).await);
    assert_eq!(player.until_final(&small).await["status"], "COMPLETED");
    let large = player.withdraw(&player.phone, 249_900).await;
    assert_held(&player, large, "We look at withdrawals that take more than KES 1,000.00").await;
    assert_eq!(mesh.sandbox().paid_out_to(&player.phone).await.len(), 1);
}

#[tokio::test]
async fn five_withdrawals_at_once_are_not_five_first_ones() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let paid_in = player.top_up(110_000).await;
    assert_eq!(player.until_final(&paid_in).await["status"], "COMPLETED");
    player.prove_phone(&player.phone).await;
    let send = || player.withdraw(&player.phone, 20_000);
    let replies = tokio::join!(send(), send(), send(), send(), send());
    let mut held = 0;
    for reply in [replies.0, replies.1, replies.2, replies.3, replies.4] {
        let message = player.payment(&accepted(reply)).await["message"].clone();
        held += usize::from(message.as_str().unwrap().starts_with("We look at first withdrawals"));
    }
    assert_eq!(held, 4);
}

#[tokio::test]
async fn card_money_is_not_cashed_by_a_friend() {
    let mesh = Mesh::from_env();
    let (payer, friend) = (mesh.new_player().await, mesh.new_player().await);
    payer.top_up_by_card(5_000).await;
    let wallet = mesh.method("WALLET").await;
    let body = json!({"paymentMethodId": wallet, "amount": 5_000, "userId": friend.uid});
    let boost = Reply::to(payer.top_up_call(&mesh.unique_id(), &body)).await.ok();
    assert_eq!(boost["status"], "COMPLETED");
    friend.prove_phone(&friend.phone).await;
    let reply = friend.withdraw(&friend.phone, 4_900).await;
    assert_held(&friend, reply, "We look at withdrawals that take more than KES 1,000.00").await;
    assert_eq!(mesh.sandbox().paid_out_to(&friend.phone).await.len(), 0);
}
