//! Notifications to players of money that reached their wallets.

use proto::{
    chat::v1::{NewNotification, NotificationKind},
    types::v1::PaymentStatus,
    wallet::v1::TopUpRequest,
};
use serde_json::json;

use crate::world::{Player, World};

fn param<'a>(notification: &'a NewNotification, name: &str) -> &'a str {
    notification.params.get(name).map_or("", String::as_str)
}

async fn boost(world: &World, method: &str, friend: &Player, key: &str) -> TopUpRequest {
    TopUpRequest {
        payment_method_id: world.method(method).await,
        beneficiary_id: Some(friend.id.to_string()),
        ..world.request(75, key).await
    }
}

#[tokio::test]
async fn a_top_up_is_told_once_though_the_replies_of_svc_chat_are_lost() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    world.notifications.lose_replies(2);

    let id = world.top_up(&player, 1_000).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.until_outbox_empty().await;

    let stored = world.notifications.stored();
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].source, format!("payment/{id}/credited"));
    assert_eq!(stored[0].player_id, player.id.to_string());
    assert_eq!(stored[0].kind(), NotificationKind::TopUpCompleted);
    assert_eq!(param(&stored[0], "amount"), "KES 1,000.00");
    assert_eq!(stored[0].params.len(), 1);
    assert_eq!(stored[0].occurred_at, Some(proto::timestamp(world.base.clock.now())));
    world.finish().await;
}

#[tokio::test]
async fn a_boost_is_told_to_the_friend_with_the_name_of_the_payer() {
    for method in ["WALLET", "MPESA"] {
        let world = World::new().await;
        let (payer, friend) = (world.player(), world.player());
        world.give(&payer, 500).await;
        let request = boost(&world, method, &friend, "a-key").await;
        let payment = world.send(&payer, request).await.unwrap();
        world.until(&payer, &payment.payment_id, PaymentStatus::Completed).await;
        world.until_outbox_empty().await;

        let stored = world.notifications.stored();
        let to_friend: Vec<_> =
            stored.iter().filter(|one| one.player_id == friend.id.to_string()).collect();
        assert_eq!(to_friend.len(), 1, "{method}");
        assert_eq!(to_friend[0].kind(), NotificationKind::BoostReceived);
        assert_eq!(param(to_friend[0], "amount"), "KES 75.00");
        let payer_id = payer.id.to_string();
        let name = format!("player{}", &payer_id[payer_id.len() - 4..]);
        assert_eq!(param(to_friend[0], "from"), name, "{method}");
        assert_eq!(stored.len(), 2, "only the top-up notifies the payer: {stored:?}");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_payment_that_credits_no_player_notifies_no_player() {
    for script in ["cancel", "wrong_amount"] {
        let world = World::new().await;
        let player = world.player();
        world.phone(json!({"stk": script})).await;
        let id = world.top_up(&player, 100).await;
        world.until(&player, &id, PaymentStatus::Error).await;
        world.until_outbox_empty().await;
        assert!(world.notifications.stored().is_empty(), "{script}");
        world.finish().await;
    }
}
