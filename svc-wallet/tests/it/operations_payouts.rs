//! Operations on withdrawals.

use std::time::Duration;

use futures_util::future::join_all;
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{CaseKind, OperationKind, OperationState},
};
use serde_json::json;
use tonic::Code;
use types::Money;

use crate::{
    operations::{of_payment, refused},
    world::{Player, World, reason},
};

/// A withdrawal of KES 300 that is held, from a wallet with KES 1,000.
async fn held() -> (World, Player, String) {
    let world = World::with(|args| {
        args.withdrawals.hold_first_withdrawals_over = Money::from_shillings(100);
    })
    .await;
    let player = world.player();
    world.give(&player, 1_000).await;
    let id = world.withdraw(&player, 300).await;
    let cases = world.cases(CaseKind::Held).await;
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0].payment_id, id);
    (world, player, id)
}

#[tokio::test]
async fn a_held_withdrawal_is_sent_once_however_many_operators_approve_it() {
    let (world, player, id) = held().await;
    let asks = (0..6).map(|number| {
        let by = if number % 2 == 0 { "wanjiru" } else { "otieno" };
        world.ask(by, of_payment(OperationKind::Approve, &id, &format!("key-{number}")))
    });
    let done = join_all(asks).await.into_iter().filter_map(Result::ok).collect::<Vec<_>>();
    assert_eq!(done.len(), 1, "{done:?}");
    assert_eq!(done[0].state(), OperationState::Done);
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.until_outbox_empty().await;
    assert_eq!(world.payouts_sent().await, 1);
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    assert!(world.inspected(&id).await.contains("payout to"));
    world.finish().await;
}

#[tokio::test]
async fn one_operator_approves_no_more_than_250_000_shillings_a_day_alone() {
    let world = World::with(|args| {
        args.withdrawals.hold_first_withdrawals_over = Money::from_shillings(100);
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..27 {
        let player = world.player();
        world.award_two_million(&player).await;
        held.push(world.withdraw(&player, 10_000).await);
    }
    let approve = |by, id: &str| world.ask(by, of_payment(OperationKind::Approve, id, id));
    for id in &held[2..] {
        let done = approve("wanjiru", id).await.unwrap();
        assert_eq!(done.state(), OperationState::Done);
    }
    let waiting = approve("wanjiru", &held[0]).await.unwrap();
    assert_eq!(waiting.state(), OperationState::Waiting);
    let done = world.decide("otieno", &waiting.id, true).await.unwrap();
    assert_eq!(done.state(), OperationState::Done);
    // What approvals move leaves the day's total of other operations as it was.
    let release = of_payment(OperationKind::Release, &held[1], "release");
    assert_eq!(world.ask("wanjiru", release).await.unwrap().state(), OperationState::Done);
    world.finish().await;
}

#[tokio::test]
async fn a_held_withdrawal_is_released_whole_and_cannot_be_sent_any_more() {
    let (world, player, id) = held().await;
    assert_ne!(world.available(&player).await, Money::from_shillings(1_000));
    world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    assert_eq!(world.available(&player).await, Money::from_shillings(1_000));
    world.until(&player, &id, PaymentStatus::Error).await;
    for kind in [OperationKind::Approve, OperationKind::Release] {
        let again = world.ask("otieno", of_payment(kind, &id, "b")).await.unwrap_err();
        assert_eq!(refused(&again).1, "INVALID_OPERATION", "{kind:?}");
    }
    world.until_outbox_empty().await;
    assert_eq!(world.payouts_sent().await, 0);
    world.finish().await;
}

/// A withdrawal of KES 200 that M-Pesa has and does not report on, from a wallet with KES 1,000.
async fn sent() -> (World, Player, String) {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.phone(json!({"b2c": "silent"})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.until_outbox_empty().await;
    (world, player, id)
}

#[tokio::test]
async fn a_payout_that_was_just_sent_is_released_by_two_operators_alone() {
    let (world, player, id) = sent().await;
    let waiting = world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    assert_eq!(waiting.state(), OperationState::Waiting);
    assert_eq!(world.available(&player).await, Money::from_shillings(795));
    let own = world.decide("wanjiru", &waiting.id, true).await.unwrap_err();
    assert_eq!((own.code(), reason(&own).as_str()), (Code::FailedPrecondition, "SAME_OPERATOR"));

    let done = world.decide("otieno", &waiting.id, true).await.unwrap();
    assert_eq!(done.state(), OperationState::Done);
    assert_eq!(world.available(&player).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn a_release_that_waits_moves_nothing_once_mpesa_has_paid() {
    let (world, player, id) = sent().await;
    let waiting = world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    world.wait(Duration::from_secs(121)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    let late = world.decide("otieno", &waiting.id, true).await.unwrap_err();
    assert_eq!(refused(&late).1, "INVALID_OPERATION");
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    world.finish().await;
}

#[tokio::test]
async fn one_operator_releases_a_payout_once_it_is_a_case() {
    let (world, player, id) = sent().await;
    world
        .fault(json!({"provider": "daraja", "kind": "spike", "call": "status", "count": 1000}))
        .await;
    world.wait(Duration::from_mins(61)).await;
    assert_eq!(world.cases(CaseKind::Unknown).await.len(), 1);
    let done = world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    assert_eq!(done.state(), OperationState::Done);
    let player = world.renewed(&player);
    assert_eq!(world.available(&player).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn a_payout_that_was_approved_late_is_no_case_when_it_is_sent() {
    let (world, player, id) = held().await;
    world.phone(json!({"b2c": "silent"})).await;
    world.wait(Duration::from_hours(5)).await;
    world.ask("wanjiru", of_payment(OperationKind::Approve, &id, "a")).await.unwrap();
    let player = world.renewed(&player);
    world.until(&player, &id, PaymentStatus::InProgress).await;
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    let release = world.ask("wanjiru", of_payment(OperationKind::Release, &id, "b")).await.unwrap();
    assert_eq!(release.state(), OperationState::Waiting);
    world.finish().await;
}
