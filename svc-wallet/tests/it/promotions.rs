//! The promotions account: funded by two operators, reserved for contests, never spent twice.

use futures_util::future::join_all;
use proto::wallet::v1::{
    GetPromotionsRequest, GetPromotionsResponse, Operation, OperationKind, OperationState,
    PayAwardRequest, RequestOperationRequest, ReserveAwardsRequest,
};
use time::Duration;
use tonic::{Code, Status};
use types::Money;

use crate::{
    operations::{kes, refused},
    world::{World, reason},
};

/// The reservation of a contest.
const CUP: &str = "00000000-0000-4000-8000-00000000000a";
/// The reservation of another contest.
const OPEN: &str = "00000000-0000-4000-8000-00000000000b";

impl World {
    fn funding(shillings: i32, receipt: &str) -> RequestOperationRequest {
        RequestOperationRequest {
            request_id: receipt.to_owned(),
            kind: OperationKind::Fund.into(),
            amount: kes(shillings),
            receipt: Some(receipt.to_owned()),
            reason: "The prizes of December.".to_owned(),
            ..RequestOperationRequest::default()
        }
    }

    /// A world whose promotions account has KES 1,000,000.
    pub(crate) async fn with_prizes() -> Self {
        let world = Self::new().await;
        world.fund(1_000_000, "PRIZES").await;
        world
    }

    /// Funds the promotions account, as two operators do.
    pub(crate) async fn fund(&self, shillings: i32, receipt: &str) -> Operation {
        let waiting = self.ask("wanjiru", Self::funding(shillings, receipt)).await.unwrap();
        assert_eq!(waiting.state(), OperationState::Waiting);
        self.decide("otieno", &waiting.id, true).await.unwrap()
    }

    /// Reserves KES for a contest that ends in an hour.
    async fn reserve(&self, id: &str, shillings: i32) -> Result<(), Status> {
        let until = self.base.clock.now() + Duration::HOUR;
        let request = ReserveAwardsRequest {
            reservation_id: id.to_owned(),
            amount: kes(shillings),
            purpose: "friday-dash".to_owned(),
            until: Some(proto::timestamp(until)),
        };
        self.awards().reserve_awards(request).await.map(drop)
    }

    /// Pays a new player an award of KES 500 from a reservation.
    async fn pay_from(&self, reservation: Option<&str>) -> Result<(), Status> {
        let award = self.award(&self.player());
        let reservation_id = reservation.map(ToOwned::to_owned);
        self.pay(&PayAwardRequest { reservation_id, ..award }).await
    }

    async fn promotions_reply(&self) -> GetPromotionsResponse {
        let reply = self.operator("wanjiru").get_promotions(GetPromotionsRequest {}).await;
        reply.unwrap().into_inner()
    }

    /// The money that is left in the account, and the reserved part of it, in KES.
    async fn left_and_reserved(&self) -> (i64, i64) {
        let reply = self.promotions_reply().await;
        (reply.left.unwrap().cents / 100, reply.reserved.unwrap().cents / 100)
    }
}

fn spent(refused: &Status) -> (Code, String) {
    (refused.code(), reason(refused))
}

fn is_spent() -> (Code, String) {
    (Code::ResourceExhausted, "PROMOTIONS_SPENT".to_owned())
}

#[tokio::test]
async fn an_award_waits_until_two_operators_have_funded_the_account() {
    let world = World::new().await;
    let winner = world.player();
    let award = world.award(&winner);
    assert_eq!(spent(&world.pay(&award).await.unwrap_err()), is_spent());
    assert_eq!(world.balance(&winner).await, Money::ZERO);

    let waiting = world.ask("wanjiru", World::funding(800, "QKL1")).await.unwrap();
    assert_eq!(waiting.state(), OperationState::Waiting, "however little it is");
    assert_eq!(spent(&world.pay(&award).await.unwrap_err()), is_spent());
    let alone = world.decide("wanjiru", &waiting.id, true).await.unwrap_err();
    assert_eq!(reason(&alone), "SAME_OPERATOR");
    world.decide("otieno", &waiting.id, true).await.unwrap();

    world.pay(&award).await.unwrap();
    assert_eq!(world.balance(&winner).await, Money::from_shillings(500));
    assert_eq!(world.house("MPESA_UTILITY").await, -80_000);
    assert_eq!(world.left_and_reserved().await, (300, 0));
    assert_eq!(spent(&world.pay_from(None).await.unwrap_err()), is_spent());
    world.finish().await;
}

#[tokio::test]
async fn a_receipt_fills_the_account_once() {
    let world = World::new().await;
    world.fund(1_000, "QKL1").await;
    world.give(&world.player(), 100).await;
    sqlx::query("UPDATE stk_push SET receipt = 'TOPUP1'").execute(&world.pool).await.unwrap();
    let again =
        RequestOperationRequest { request_id: "again".to_owned(), ..World::funding(1_000, "QKL1") };
    let invalid = |field: &str| {
        (Code::InvalidArgument, "INVALID_OPERATION".to_owned(), Some(field.to_owned()))
    };
    assert_eq!(refused(&world.ask("otieno", again.clone()).await.unwrap_err()), invalid("receipt"));
    for (wrong, field) in [
        (RequestOperationRequest { receipt: None, ..again.clone() }, "receipt"),
        (RequestOperationRequest { amount: None, ..again.clone() }, "amount"),
        (
            RequestOperationRequest { payment_id: Some(CUP.to_owned()), ..again.clone() },
            "payment_id",
        ),
    ] {
        assert_eq!(refused(&world.ask("otieno", wrong).await.unwrap_err()), invalid(field));
    }
    for (receipt, field) in [("qkl1", "receipt"), ("TOPUP1", "receipt")] {
        let other = RequestOperationRequest { receipt: Some(receipt.to_owned()), ..again.clone() };
        assert_eq!(refused(&world.ask("otieno", other).await.unwrap_err()), invalid(field));
    }
    let refused_first = World::funding(70, "QKL2");
    let waiting = world.ask("wanjiru", refused_first).await.unwrap();
    world.decide("otieno", &waiting.id, false).await.unwrap();
    let corrected = RequestOperationRequest {
        request_id: "corrected".to_owned(),
        ..World::funding(700, "QKL2")
    };
    let waiting = world.ask("wanjiru", corrected).await.unwrap();
    world.decide("otieno", &waiting.id, true).await.unwrap();
    assert_eq!(world.left_and_reserved().await, (1_700, 0));
    world.finish().await;
}

#[tokio::test]
async fn what_is_reserved_is_for_its_contest_alone() {
    let world = World::new().await;
    world.fund(1_200, "QKL1").await;
    world.reserve(CUP, 1_000).await.unwrap();
    world.reserve(CUP, 1_000).await.unwrap();
    assert_eq!(world.left_and_reserved().await, (1_200, 1_000));

    assert_eq!(spent(&world.reserve(OPEN, 201).await.unwrap_err()), is_spent());
    assert_eq!(spent(&world.pay_from(Some(OPEN)).await.unwrap_err()), is_spent());
    assert_eq!(spent(&world.pay_from(None).await.unwrap_err()), is_spent());
    world.pay_from(Some(CUP)).await.unwrap();
    world.pay_from(Some(CUP)).await.unwrap();
    assert_eq!(world.left_and_reserved().await, (200, 0));
    let late = world.pay_from(Some(CUP)).await.unwrap_err();
    assert_eq!(spent(&late), is_spent(), "the reservation has no more");
    world.finish().await;
}

#[tokio::test]
async fn what_was_given_away_before_the_first_funding_is_not_paid_from_it() {
    let world = World::new().await;
    let earlier = "SELECT ledger_post(gen_random_uuid(), 'AWARD', gen_random_uuid(), now(),
        house_account('PROMOTIONS'), $1, 90000, NULL, 'An award.', NULL)";
    let player = world.player();
    sqlx::query(earlier).bind(player.id.uuid()).execute(&world.pool).await.unwrap();
    assert_eq!(world.left_and_reserved().await, (-900, 0));
    world.fund(600, "QKL1").await;
    assert_eq!(world.left_and_reserved().await, (600, 0));
    world.pay_from(None).await.unwrap();
    world.fund(50, "QKL2").await;
    assert_eq!(world.left_and_reserved().await, (150, 0));
    world.finish().await;
}

#[tokio::test]
async fn what_was_not_won_is_free_for_others() {
    let world = World::new().await;
    world.fund(2_000, "QKL1").await;
    world.reserve(CUP, 2_000).await.unwrap();
    world.pay_from(Some(CUP)).await.unwrap();
    // The amount is the whole of the reservation: two awards of KES 500, of which one is paid.
    world.reserve(CUP, 1_000).await.unwrap();
    let reply = world.promotions_reply().await;
    let [cup] = reply.reservations.as_slice() else { panic!("{reply:?}") };
    assert_eq!((cup.id.as_str(), cup.purpose.as_str()), (CUP, "friday-dash"));
    assert_eq!((cup.amount, cup.paid), (kes(1_000), kes(500)));
    world.reserve(OPEN, 1_000).await.unwrap();
    world.pay_from(Some(CUP)).await.unwrap();
    assert_eq!(world.left_and_reserved().await, (1_000, 1_000));

    // A contest that is never settled keeps nothing for good.
    world.wait(std::time::Duration::from_hours(1)).await;
    assert_eq!(world.left_and_reserved().await, (1_000, 0));
    assert!(world.promotions_reply().await.reservations.is_empty());
    world.pay_from(None).await.unwrap();
    world.finish().await;
}

#[tokio::test]
async fn awards_and_reservations_at_once_promise_no_more_than_there_is() {
    let world = World::new().await;
    world.fund(2_000, "QKL1").await;
    let reservations = [CUP, OPEN].map(|id| world.reserve(id, 1_000));
    let awards = (0..8).map(|_| world.pay_from(None));
    let (reserved, paid) = tokio::join!(join_all(reservations), join_all(awards));
    let reserved = i64::try_from(reserved.into_iter().flatten().count()).unwrap();
    let paid = i64::try_from(paid.into_iter().flatten().count()).unwrap();
    assert_eq!(1_000 * reserved + 500 * paid, 2_000, "{reserved} reserved, {paid} paid");
    assert_eq!(world.left_and_reserved().await, (2_000 - 500 * paid, 1_000 * reserved));
    world.finish().await;
}

#[tokio::test]
async fn a_gift_takes_no_money_that_is_reserved() {
    let world = World::new().await;
    world.fund(1_000, "QKL1").await;
    world.reserve(CUP, 800).await.unwrap();
    let player = world.player();
    let gift = |shillings, request_id: &str| RequestOperationRequest {
        request_id: request_id.to_owned(),
        kind: OperationKind::Credit.into(),
        player_id: Some(player.id.to_string()),
        amount: kes(shillings),
        reason: "A thank you to a tester.".to_owned(),
        ..RequestOperationRequest::default()
    };
    assert_eq!(spent(&world.ask("wanjiru", gift(201, "a")).await.unwrap_err()), is_spent());
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.ask("wanjiru", gift(200, "b")).await.unwrap();
    assert_eq!(world.balance(&player).await, Money::from_shillings(200));
    world.finish().await;
}

#[tokio::test]
async fn a_reservation_out_of_its_limits_is_refused() {
    let world = World::new().await;
    let until = Some(proto::timestamp(world.base.clock.now()));
    let good = ReserveAwardsRequest {
        reservation_id: CUP.to_owned(),
        amount: kes(0),
        purpose: "friday-dash".to_owned(),
        until,
    };
    world.awards().reserve_awards(good.clone()).await.unwrap();
    for bad in [
        ReserveAwardsRequest { reservation_id: "one".to_owned(), ..good.clone() },
        ReserveAwardsRequest { amount: None, ..good.clone() },
        ReserveAwardsRequest { amount: kes(-1), ..good.clone() },
        ReserveAwardsRequest { purpose: String::new(), ..good.clone() },
        ReserveAwardsRequest { until: None, ..good.clone() },
    ] {
        let refused = world.awards().reserve_awards(bad.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{bad:?}");
    }
    world.finish().await;
}
