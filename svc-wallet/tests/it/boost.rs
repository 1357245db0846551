//! Money from friend to friend.

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{Direction, TopUpRequest, TransactionDesc},
};
use serde_json::json;
use types::Money;

use crate::{
    neighbours::NOBODY,
    world::{Player, World, reason},
};

async fn boost(world: &World, friend: &str, shillings: i32, key: &str) -> TopUpRequest {
    TopUpRequest {
        payment_method_id: world.method("WALLET").await,
        mpesa_phone_number: None,
        beneficiary_id: Some(friend.to_owned()),
        ..world.ask(shillings, key).await
    }
}

#[tokio::test]
async fn a_boost_from_the_wallet_moves_at_once() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 500).await;

    let ask = boost(&world, &friend.id.to_string(), 120, "one").await;
    let payment = world.send(&payer, ask).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Completed);
    assert_eq!(
        payment.message,
        "You just boosted your friend kes 120. That's what friends are for!"
    );
    assert_eq!(world.balance(&payer).await, Money::from_shillings(380));
    assert_eq!(world.balance(&friend).await, Money::from_shillings(120));

    let sent = &world.history(&payer).await[0];
    assert_eq!(sent.transaction_desc(), TransactionDesc::BoostFriend);
    assert_eq!(sent.direction(), Direction::Debit);
    let got = &world.history(&friend).await[0];
    assert_eq!(got.transaction_desc(), TransactionDesc::TopupWallet);
    assert_eq!(got.direction(), Direction::Credit);
    assert!(got.detail.as_ref().unwrap().starts_with("Boost from player"));
    world.finish().await;
}

#[tokio::test]
async fn a_boost_by_mpesa_fills_the_friends_wallet() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.phone(json!({"stk": "approve"})).await;
    let ask =
        TopUpRequest { beneficiary_id: Some(friend.id.to_string()), ..world.ask(75, "one").await };
    let id = world.send(&payer, ask).await.unwrap().payment_id;
    world.until(&payer, &id, PaymentStatus::Completed).await;
    let got = &world.history(&friend).await[0];
    assert!(got.detail.as_ref().unwrap().starts_with("Boost from player"));
    let payin = got.payment.as_ref().unwrap();
    assert_eq!(payin.receipt, None, "a friend's receipt is the friend's own business");
    assert_eq!(world.balance(&friend).await, Money::from_shillings(75));
    assert_eq!(world.balance(&payer).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn nobody_boosts_with_what_they_have_not_got() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 100).await;
    let ask = boost(&world, &friend.id.to_string(), 101, "one").await;
    let refused = world.send(&payer, ask).await.unwrap_err();
    assert_eq!(reason(&refused), "INSUFFICIENT_FUNDS");
    assert_eq!(refused.message(), "You do not have enough money in your wallet.");
    assert_eq!(world.balance(&payer).await, Money::from_shillings(100));
    assert_eq!(world.balance(&friend).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn a_friend_must_exist_and_be_somebody_else() {
    let world = World::new().await;
    let payer = world.player();
    world.give(&payer, 100).await;
    let to_nobody = boost(&world, NOBODY, 10, "one").await;
    assert_eq!(reason(&world.send(&payer, to_nobody).await.unwrap_err()), "USER_NOT_FOUND");
    let to_self = boost(&world, &payer.id.to_string(), 10, "two").await;
    assert_eq!(reason(&world.send(&payer, to_self).await.unwrap_err()), "METHOD_NOT_ALLOWED");
    world.finish().await;
}

#[tokio::test]
async fn friends_who_boost_each_other_at_once_end_where_they_should() {
    let world = World::new().await;
    let (ann, ben) = (world.player(), world.player());
    world.give(&ann, 1_000).await;
    world.give(&ben, 1_000).await;
    let send = async |from: &Player, to: &Player, key: String| {
        let ask = boost(&world, &to.id.to_string(), 10, &key).await;
        world.send(from, ask).await.unwrap();
    };
    let there = (0..20).map(|i| send(&ann, &ben, format!("there-{i}")));
    let back = (0..20).map(|i| send(&ben, &ann, format!("back-{i}")));
    tokio::join!(futures_util::future::join_all(there), futures_util::future::join_all(back));
    assert_eq!(world.balance(&ann).await, Money::from_shillings(1_000));
    assert_eq!(world.balance(&ben).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn a_wallet_is_spent_once_however_many_try() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 100).await;
    let tries = (0..10).map(|i| {
        let (world, payer, friend) = (&world, &payer, friend.id.to_string());
        async move {
            let ask = boost(world, &friend, 60, &format!("try-{i}")).await;
            world.send(payer, ask).await.is_ok()
        }
    });
    let won = futures_util::future::join_all(tries).await.into_iter().filter(|ok| *ok).count();
    assert_eq!(won, 1);
    assert_eq!(world.balance(&payer).await, Money::from_shillings(40));
    assert_eq!(world.balance(&friend).await, Money::from_shillings(60));
    world.finish().await;
}
