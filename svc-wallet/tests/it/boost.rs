//! Boosts: money for a friend.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{Direction, TopUpRequest, TransactionDesc},
};
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::{
    upstreams::UNKNOWN_PLAYER,
    world::{Player, World, bearing, english, reason},
};

pub(crate) async fn boost(world: &World, friend: &str, shillings: i32, key: &str) -> TopUpRequest {
    TopUpRequest {
        payment_method_id: world.method("WALLET").await,
        mpesa_phone_number: None,
        beneficiary_id: Some(friend.to_owned()),
        ..world.request(shillings, key).await
    }
}

impl World {
    /// Credits the wallet by awards, because top-ups have a daily limit too.
    pub(crate) async fn award_two_million(&self, player: &Player) {
        let credit = "SELECT ledger_post(gen_random_uuid(), 'AWARD', gen_random_uuid(), now(),
            house_account('PROMOTIONS'), $1, 200000000, NULL, 'A test.', NULL)";
        sqlx::query(credit).bind(player.id.uuid()).execute(&self.pool).await.unwrap();
    }

    /// The number of payments that have their payer's name.
    async fn named(&self) -> i64 {
        let named = "SELECT count(*) FROM payment WHERE detail IS NOT NULL";
        sqlx::query_scalar(named).fetch_one(&self.pool).await.unwrap()
    }
}

#[tokio::test]
async fn a_boost_from_the_wallet_moves_the_money_before_the_reply() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 500).await;

    let request = boost(&world, &friend.id.to_string(), 120, "one").await;
    let payment = world.send(&payer, request).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Completed);
    assert_eq!(
        english(payment.text.as_ref()),
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
async fn a_boost_from_the_wallet_needs_no_name_of_its_payer() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 500).await;
    world.give(&friend, 10).await;
    world.directory.fail();

    let request = boost(&world, &friend.id.to_string(), 120, "one").await;
    let payment = world.send(&payer, request).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Completed);
    assert_eq!(world.balance(&friend).await, Money::from_shillings(130));
    let got = &world.history(&friend).await[0];
    assert_eq!(got.detail.as_deref(), Some("Boost from a friend"));
    world.finish().await;
}

#[tokio::test]
async fn a_boost_by_mpesa_credits_the_friends_wallet() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.phone(json!({"stk": "approve"})).await;
    let request = TopUpRequest {
        beneficiary_id: Some(friend.id.to_string()),
        ..world.request(75, "one").await
    };
    let id = world.send(&payer, request).await.unwrap().payment_id;
    world.until(&payer, &id, PaymentStatus::Completed).await;
    let got = &world.history(&friend).await[0];
    assert!(got.detail.as_ref().unwrap().starts_with("Boost from player"));
    let payin = got.payment.as_ref().unwrap();
    assert_eq!(payin.receipt, None, "only the payer may see the receipt");
    assert_eq!(world.balance(&friend).await, Money::from_shillings(75));
    assert_eq!(world.balance(&payer).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn refuses_a_boost_of_more_than_the_wallet_has() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 100).await;
    let request = boost(&world, &friend.id.to_string(), 101, "one").await;
    let refused = world.send(&payer, request).await.unwrap_err();
    assert_eq!(reason(&refused), "INSUFFICIENT_FUNDS");
    assert_eq!(refused.message(), "You do not have enough money in your wallet.");
    assert_eq!(world.balance(&payer).await, Money::from_shillings(100));
    assert_eq!(world.balance(&friend).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn refuses_a_boost_to_an_unknown_player_or_to_oneself() {
    let world = World::new().await;
    let payer = world.player();
    world.give(&payer, 100).await;
    let to_unknown = boost(&world, UNKNOWN_PLAYER, 10, "one").await;
    assert_eq!(reason(&world.send(&payer, to_unknown).await.unwrap_err()), "USER_NOT_FOUND");
    let to_self = boost(&world, &payer.id.to_string(), 10, "two").await;
    assert_eq!(reason(&world.send(&payer, to_self).await.unwrap_err()), "METHOD_NOT_ALLOWED");
    world.finish().await;
}

#[tokio::test]
async fn concurrent_boosts_in_both_directions_all_succeed() {
    let world = World::new().await;
    let (ann, ben) = (world.player(), world.player());
    world.give(&ann, 1_000).await;
    world.give(&ben, 1_000).await;
    let send = async |from: &Player, to: &Player, key: String| {
        let request = boost(&world, &to.id.to_string(), 10, &key).await;
        world.send(from, request).await.unwrap();
    };
    let there = (0..20).map(|i| send(&ann, &ben, format!("there-{i}")));
    let back = (0..20).map(|i| send(&ben, &ann, format!("back-{i}")));
    tokio::join!(futures_util::future::join_all(there), futures_util::future::join_all(back));
    assert_eq!(world.balance(&ann).await, Money::from_shillings(1_000));
    assert_eq!(world.balance(&ben).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn concurrent_boosts_cannot_spend_the_same_money_twice() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 100).await;
    let tries = (0..10).map(|i| {
        let (world, payer, friend) = (&world, &payer, friend.id.to_string());
        async move {
            let request = boost(world, &friend, 60, &format!("try-{i}")).await;
            world.send(payer, request).await.is_ok()
        }
    });
    let won = futures_util::future::join_all(tries).await.into_iter().filter(|ok| *ok).count();
    assert_eq!(won, 1);
    assert_eq!(world.balance(&payer).await, Money::from_shillings(40));
    assert_eq!(world.balance(&friend).await, Money::from_shillings(60));
    world.finish().await;
}

#[tokio::test]
async fn a_player_sends_at_most_half_a_million_a_day_whichever_boosts_are_first() {
    let mut world = World::new().await;
    let (mut payer, friend) = (world.player(), world.player());
    world.award_two_million(&payer).await;
    world.start_replica().await;
    let mut requests = Vec::new();
    for index in 0..12 {
        let key = format!("boost-{index}");
        requests.push(boost(&world, &friend.id.to_string(), 100_000, &key).await);
    }
    let replica = world.replica_client();
    let sent = requests.iter().enumerate().map(|(index, request)| {
        let mut client = if index % 2 == 0 { world.client() } else { replica.clone() };
        let request = bearing(&payer.token, request.clone());
        async move { client.top_up(request).await }
    });
    let sent = futures_util::future::join_all(sent).await;
    assert_eq!(sent.iter().filter(|one| one.is_ok()).count(), 5);
    for refused in sent.iter().filter_map(|one| one.as_ref().err()) {
        assert_eq!(reason(refused), "DAILY_LIMIT");
    }
    assert_eq!(world.balance(&friend).await, Money::from_shillings(500_000));
    // The daily limit covers phones and friends together.
    let out = world.withdrawal(10, "out").await;
    assert_eq!(reason(&world.send_withdrawal(&payer, out).await.unwrap_err()), "DAILY_LIMIT");
    // A boost back counts towards the friend's limit.
    let back = boost(&world, &payer.id.to_string(), 250_000, "back").await;
    world.send(&friend, back).await.unwrap();
    let more = boost(&world, &friend.id.to_string(), 1, "more").await;
    assert_eq!(reason(&world.send(&payer, more.clone()).await.unwrap_err()), "DAILY_LIMIT");

    // The test begins at noon in Nairobi, so this is the next day.
    world.wait_signed_in(&mut payer, std::time::Duration::from_hours(13)).await;
    world.send(&payer, more).await.unwrap();
    world.finish().await;
}

#[tokio::test]
async fn the_own_id_in_capitals_is_no_friend() {
    let world = World::new().await;
    let payer = world.player();
    world.give(&payer, 100).await;
    let own = payer.id.to_string().to_uppercase();
    let request = boost(&world, &own, 10, "one").await;
    assert_eq!(reason(&world.send(&payer, request).await.unwrap_err()), "METHOD_NOT_ALLOWED");
    world.finish().await;
}

#[tokio::test]
async fn the_payers_name_leaves_a_boost_that_failed_after_90_days() {
    let mut world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.phone(json!({"stk": "cancel"})).await;
    let request = TopUpRequest {
        beneficiary_id: Some(friend.id.to_string()),
        ..world.request(75, "one").await
    };
    let id = world.send(&payer, request).await.unwrap().payment_id;
    world.until(&payer, &id, PaymentStatus::Error).await;
    assert_eq!(world.named().await, 1);
    world.base.clock.advance(Duration::from_hours(24 * 91));
    // A replica sweeps when it starts.
    world.start_replica().await;
    eventually("the sweep", || async { (world.named().await == 0).then_some(()) }).await;
    world.finish().await;
}
