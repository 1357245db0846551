//! What players spend and win, and the limits that they set themselves.

use std::time::Duration;

use mesh::grpc::client::Outgoing;
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{
        GetSpendingRequest, PeriodSpending, SetSpendingLimitRequest, SpendingKind, SpendingPeriod,
        TopUpRequest, spending_service_client::SpendingServiceClient,
    },
};
use serde_json::json;
use tonic::{Code, Status};
use types::Money;

use crate::{
    boost::boost,
    world::{Player, World, bearing, reason},
};

const DAY: Duration = Duration::from_hours(24);

impl World {
    fn spending_client(&self) -> SpendingServiceClient<Outgoing> {
        SpendingServiceClient::new(self.connect("gateway"))
    }

    async fn spending(&self, player: &Player) -> Vec<PeriodSpending> {
        let request = bearing(&player.token, GetSpendingRequest {});
        self.spending_client().get_spending(request).await.unwrap().into_inner().periods
    }

    async fn set_limit(
        &self,
        player: &Player,
        kind: SpendingKind,
        period: SpendingPeriod,
        shillings: Option<i32>,
    ) -> Result<Vec<PeriodSpending>, Status> {
        let request = SetSpendingLimitRequest {
            kind: kind.into(),
            period: period.into(),
            limit: shillings.map(|limit| Money::from_shillings(limit).into()),
        };
        let request = bearing(&player.token, request);
        let reply = self.spending_client().set_spending_limit(request).await?;
        Ok(reply.into_inner().periods)
    }
}

/// The reason and the text of a refusal.
fn refusal(status: &Status) -> (String, String) {
    let fault = mesh::Fault::from_status(status);
    assert_eq!(fault.code, Code::FailedPrecondition);
    (fault.reason.to_string(), fault.message.to_string())
}

fn shillings(amount: Option<proto::types::v1::Money>) -> Option<i64> {
    amount.map(|money| money.cents / 100)
}

#[tokio::test]
async fn a_limit_on_money_in_refuses_what_exceeds_it_until_the_next_day() {
    let world = World::new().await;
    let player = world.player();
    let (kind, day) = (SpendingKind::MoneyIn, SpendingPeriod::Day);
    world.set_limit(&player, kind, day, Some(500)).await.unwrap();
    world.give(&player, 300).await;

    let request = world.request(201, "too-much").await;
    let refused = world.send(&player, request.clone()).await.unwrap_err();
    let text = "Your own limit is KES 500.00 a day. KES 200.00 of it is left today.";
    assert_eq!(refusal(&refused), ("SPENDING_LIMIT_DAY".to_owned(), text.to_owned()));
    assert_eq!(world.balance(&player).await, Money::from_shillings(300));
    world.give(&player, 200).await;

    world.wait(DAY).await;
    let player = world.renewed(&player);
    let sent = world.send(&player, request).await.unwrap();
    world.until(&player, &sent.payment_id, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn a_payment_that_failed_does_not_count_and_an_open_one_does() {
    let world = World::new().await;
    let player = world.player();
    let (kind, week) = (SpendingKind::MoneyIn, SpendingPeriod::Week);
    world.set_limit(&player, kind, week, Some(500)).await.unwrap();
    world.phone(json!({"stk": "cancel"})).await;
    let failed = world.top_up(&player, 500).await;
    world.until(&player, &failed, PaymentStatus::Error).await;
    world.phone(json!({"stk": "manual"})).await;
    let request = world.request(400, "open").await;
    world.send(&player, request).await.unwrap();
    let request = world.request(101, "second").await;
    let refused = world.send(&player, request).await.unwrap_err();
    assert_eq!(reason(&refused), "SPENDING_LIMIT_WEEK");
    world.finish().await;
}

#[tokio::test]
async fn of_two_top_ups_at_once_only_one_passes_a_limit() {
    let world = World::new().await;
    let player = world.player();
    let (kind, month) = (SpendingKind::MoneyIn, SpendingPeriod::Month);
    world.set_limit(&player, kind, month, Some(500)).await.unwrap();
    let (one, two) = (world.request(300, "one").await, world.request(300, "two").await);
    let (one, two) = tokio::join!(world.send(&player, one), world.send(&player, two));
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    let refused = one.err().or(two.err()).unwrap();
    assert_eq!(reason(&refused), "SPENDING_LIMIT_MONTH");
    world.finish().await;
}

#[tokio::test]
async fn a_limit_on_packages_counts_each_method_and_leaves_money_in_alone() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.give(&player, 500).await;
    let (kind, day) = (SpendingKind::Packages, SpendingPeriod::Day);
    world.set_limit(&player, kind, day, Some(60)).await.unwrap();
    let by_mpesa = world.subscribe(&player, "MPESA", "gold", "by-mpesa").await.unwrap();
    world.until(&player, &by_mpesa.payment_id, PaymentStatus::Completed).await;
    let refused = world.subscribe(&player, "WALLET", "silver", "too-much").await.unwrap_err();
    assert_eq!(reason(&refused), "SPENDING_LIMIT_DAY");
    assert_eq!(world.subscriptions(&player).await.len(), 1);
    world.subscribe(&player, "WALLET", "bronze", "by-wallet").await.unwrap();
    world.give(&player, 500).await;
    let day = &world.spending(&player).await[0];
    assert_eq!(shillings(day.packages.as_ref().unwrap().spent), Some(60));
    assert_eq!(shillings(day.money_in.as_ref().unwrap().spent), Some(1_000));
    world.finish().await;
}

#[tokio::test]
async fn a_higher_limit_begins_a_day_later_and_a_lower_one_at_once() {
    let world = World::new().await;
    let player = world.player();
    let (kind, day) = (SpendingKind::MoneyIn, SpendingPeriod::Day);
    world.set_limit(&player, kind, day, Some(100)).await.unwrap();
    let raised = world.set_limit(&player, kind, day, None).await.unwrap();
    let money_in = raised[0].money_in.unwrap();
    assert_eq!(shillings(money_in.limit), Some(100));
    let change = money_in.change.unwrap();
    assert_eq!(change.limit, None);
    let begins_at = proto::from_timestamp(change.begins_at, "begins_at").unwrap();
    assert_eq!(begins_at, world.base.clock.now() + DAY);
    let request = world.request(101, "above").await;
    let refused = world.send(&player, request).await.unwrap_err();
    assert_eq!(reason(&refused), "SPENDING_LIMIT_DAY");

    world.wait(DAY).await;
    let player = world.renewed(&player);
    world.give(&player, 101).await;
    let lowered = world.set_limit(&player, kind, day, Some(50)).await.unwrap();
    let money_in = lowered[0].money_in.unwrap();
    assert_eq!((shillings(money_in.limit), money_in.change), (Some(50), None));
    assert_eq!(world.data_of(&player).await["spending_limits"][0]["limit_kes"], "50.00");
    let text = "Your own limit is KES 50.00 a day. KES 0.00 of it is left today.";
    let request = world.request(10, "lowered").await;
    let refused = world.send(&player, request).await.unwrap_err();
    assert_eq!(refusal(&refused).1, text);
    world.finish().await;
}

#[tokio::test]
async fn a_boost_that_is_paid_from_outside_is_money_in_and_one_from_the_wallet_is_not() {
    let world = World::new().await;
    let (player, friend) = (world.player(), world.player().id.to_string());
    let (kind, day) = (SpendingKind::MoneyIn, SpendingPeriod::Day);
    world.set_limit(&player, kind, day, Some(500)).await.unwrap();
    world.give(&player, 200).await;
    let from_wallet = boost(&world, &friend, 150, "from-wallet").await;
    world.send(&player, from_wallet).await.unwrap();
    let by_mpesa = |shillings, key| {
        let (world, friend) = (&world, friend.clone());
        async move {
            let request = world.request(shillings, key).await;
            TopUpRequest { beneficiary_id: Some(friend), ..request }
        }
    };
    let boosted = world.send(&player, by_mpesa(250, "boost").await).await.unwrap();
    world.until(&player, &boosted.payment_id, PaymentStatus::Completed).await;
    let spent = world.spending(&player).await[0].money_in.unwrap().spent;
    assert_eq!(shillings(spent), Some(450));
    let refused = world.send(&player, by_mpesa(51, "more").await).await.unwrap_err();
    assert_eq!(reason(&refused), "SPENDING_LIMIT_DAY");
    let by_card = world.request(51, "card").await;
    let by_card = TopUpRequest { payment_method_id: world.method("CARD").await, ..by_card };
    assert_eq!(reason(&world.send(&player, by_card).await.unwrap_err()), "SPENDING_LIMIT_DAY");
    world.finish().await;
}

#[tokio::test]
async fn a_prize_is_won_in_its_day_week_and_month() {
    let world = World::with_prizes().await;
    let player = world.player();
    world.pay(&world.award(&player)).await.unwrap();
    for (days, expected) in [(0, [500, 500, 500]), (1, [0, 500, 500]), (7, [0, 0, 500])] {
        world.wait(DAY * days).await;
        let periods = world.spending(&world.renewed(&player)).await;
        let won = periods.iter().map(|period| shillings(period.won).unwrap());
        assert_eq!(won.collect::<Vec<_>>(), expected, "after {days} more days");
    }
    world.finish().await;
}

#[tokio::test]
async fn a_limit_has_a_kind_a_period_and_a_range() {
    let world = World::new().await;
    let player = world.player();
    let (kind, day) = (SpendingKind::MoneyIn, SpendingPeriod::Day);
    for (kind, period, limit, expected) in [
        (kind, day, 9, "AMOUNT_OUT_OF_RANGE"),
        (kind, day, 1_000_001, "AMOUNT_OUT_OF_RANGE"),
        (SpendingKind::Unspecified, day, 100, "INVALID_ARGUMENT"),
        (kind, SpendingPeriod::Unspecified, 100, "INVALID_ARGUMENT"),
    ] {
        let refused = world.set_limit(&player, kind, period, Some(limit)).await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{kind:?} {period:?} {limit}");
        let fault = mesh::Fault::from_status(&refused);
        assert_eq!(fault.wrong_fields().len(), 1, "{:?}", fault.wrong_fields());
    }
    assert_eq!(world.spending(&player).await[0].money_in.unwrap().limit, None);
    world.finish().await;
}
