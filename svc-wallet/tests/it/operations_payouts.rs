//! What operators do with withdrawals.

use futures_util::future::join_all;
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{CaseKind, OperationKind, OperationState},
};
use types::Money;

use crate::{
    operations::{of_payment, refused},
    world::{Player, World},
};

/// A withdrawal of 300 that is held, from a wallet with 1,000.
async fn held() -> (World, Player, String) {
    let world = World::with(|args| {
        args.withdrawals.hold_first_withdrawal_over = Money::from_shillings(100);
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
