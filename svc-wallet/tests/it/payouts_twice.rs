//! Withdrawals that M-Pesa paid twice, and the operations on them.

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{CaseKind, OperationKind, OperationState, RequestOperationRequest},
};
use types::Money;

use crate::{
    operations::{kes, of_payment, refused},
    world::{Player, World},
};

const SECOND: &str = "AGAIN1";

/// A withdrawal that was paid, from a wallet with three times its amount, and a second receipt of
/// it.
async fn paid_twice(shillings: u32) -> (World, Player, String) {
    let world = World::new().await;
    let player = world.player();
    let amount = i32::try_from(shillings).unwrap();
    world.give(&player, 3 * amount).await;
    let id = world.withdraw(&player, amount).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.until_outbox_empty().await;
    let secret = world.payout_secret(&id).await;
    let mut again = World::payout_result(&id, 0, shillings);
    again["Result"]["TransactionID"] = SECOND.into();
    again["Result"]["ResultParameters"]["ResultParameter"][1]["Value"] = SECOND.into();
    for text in ["", "once more"] {
        again["Result"]["ResultDesc"] = text.into();
        world.report("b2c", &secret, &again).await;
    }
    (world, player, id)
}

/// The operation that closes the case by its second receipt.
fn by_second(kind: OperationKind, id: &str, request: &str) -> RequestOperationRequest {
    let receipt = Some(SECOND.to_owned());
    RequestOperationRequest { receipt, ..of_payment(kind, id, request) }
}

impl World {
    async fn details(&self, kind: CaseKind) -> Vec<String> {
        self.cases(kind).await.into_iter().map(|case| case.detail).collect()
    }
}

#[tokio::test]
async fn a_second_payout_is_posted_once_and_then_taken_from_the_wallet() {
    let (world, player, id) = paid_twice(200).await;
    let before = world.house("MPESA_UTILITY").await;
    assert_eq!(
        world.details(CaseKind::PaidTwice).await,
        ["second payout: receipt AGAIN1 of KES 200.00"]
    );
    for kind in [OperationKind::Credit, OperationKind::Refund] {
        let wrong = world.ask("wanjiru", of_payment(kind, &id, "wrong")).await.unwrap_err();
        assert_eq!(refused(&wrong).2.as_deref(), Some("payment_id"), "{kind:?}");
    }
    let (first, second) = tokio::join!(
        world.ask("wanjiru", by_second(OperationKind::Outflow, &id, "a")),
        world.ask("otieno", by_second(OperationKind::Outflow, &id, "b")),
    );
    assert_ne!(first.is_ok(), second.is_ok());
    assert_eq!(world.house("MPESA_UTILITY").await, before + 20_000);
    assert!(world.cases(CaseKind::PaidTwice).await.is_empty());
    assert_eq!(
        world.details(CaseKind::Suspended).await,
        ["paid twice: confirm takes it from the wallet, release bears the loss"]
    );
    assert!(world.inspected(&id).await.contains("operation: OUTFLOW DONE"));

    world.ask("wanjiru", by_second(OperationKind::Confirm, &id, "c")).await.unwrap();
    world.ask("otieno", by_second(OperationKind::Confirm, &id, "d")).await.unwrap_err();
    assert_eq!(world.house("SUSPENSE").await, 0);
    assert_eq!(world.balance(&player).await, Money::from_shillings(600 - 205 - 200));
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    let payment = world.payment(&player, &id).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Completed);
    world.finish().await;
}

#[tokio::test]
async fn a_large_second_payout_needs_two_operators_and_playon_may_bear_it() {
    let (world, player, id) = paid_twice(10_001).await;
    let balance = world.balance(&player).await;
    for kind in [OperationKind::Outflow, OperationKind::Release] {
        let request = if kind == OperationKind::Outflow {
            by_second(kind, &id, "outflow")
        } else {
            of_payment(kind, &id, "release")
        };
        let waiting = world.ask("wanjiru", request).await.unwrap();
        assert_eq!(waiting.state(), OperationState::Waiting);
        let done = world.decide("otieno", &waiting.id, true).await.unwrap();
        assert_eq!((done.state(), done.amount), (OperationState::Done, kes(10_001)));
    }
    assert_eq!(world.house("SUSPENSE").await, 0);
    assert_eq!(world.house("PROMOTIONS").await, -1_000_100);
    assert_eq!(world.balance(&player).await, balance);
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn a_second_payout_that_mpesa_does_not_know_is_closed_without_money() {
    let (world, player, id) = paid_twice(200).await;
    let before = world.house("MPESA_UTILITY").await;
    let bare = world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await;
    assert_eq!(refused(&bare.unwrap_err()).2.as_deref(), Some("receipt"));
    let other = RequestOperationRequest {
        receipt: Some("OTHER1".to_owned()),
        ..of_payment(OperationKind::Outflow, &id, "b")
    };
    assert_eq!(
        refused(&world.ask("wanjiru", other).await.unwrap_err()).2.as_deref(),
        Some("receipt")
    );
    world.ask("wanjiru", by_second(OperationKind::Release, &id, "c")).await.unwrap();
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    assert_eq!(world.house("MPESA_UTILITY").await, before);
    assert_eq!(world.balance(&player).await, Money::from_shillings(395));
    let late = world.ask("otieno", by_second(OperationKind::Outflow, &id, "d")).await;
    assert_eq!(refused(&late.unwrap_err()).2.as_deref(), Some("receipt"));
    world.finish().await;
}

#[tokio::test]
async fn the_operator_names_the_amount_that_a_message_lacked() {
    let (world, _, id) = paid_twice(200).await;
    sqlx::query("UPDATE second_receipt SET amount_cents = NULL")
        .execute(&world.pool)
        .await
        .unwrap();
    let unnamed = world.ask("wanjiru", by_second(OperationKind::Outflow, &id, "a")).await;
    assert_eq!(refused(&unnamed.unwrap_err()).2.as_deref(), Some("amount"));
    let named =
        RequestOperationRequest { amount: kes(150), ..by_second(OperationKind::Outflow, &id, "b") };
    world.ask("wanjiru", named).await.unwrap();
    assert_eq!(world.house("SUSPENSE").await, -15_000);
    world.finish().await;
}
