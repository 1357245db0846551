//! Charges to airtime and cards, and refunds to cards, that wait for an operator.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{CaseKind, OperationKind, RequestOperationRequest},
};
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::{
    carrier::Charges,
    operations::{kes, of_payment, refused},
    paystack::Fault,
    world::{Player, World},
};

fn confirm(id: &str, request: &str) -> RequestOperationRequest {
    let receipt = Some("SEEN1".to_owned());
    RequestOperationRequest { receipt, ..of_payment(OperationKind::Confirm, id, request) }
}

impl World {
    /// Waits until the only case is of this kind; returns its detail.
    async fn until_case(&self, kind: CaseKind) -> String {
        eventually(&format!("a case {kind:?}"), || async {
            self.cases(kind).await.pop().map(|case| case.detail)
        })
        .await
    }

    async fn assert_no_case(&self) {
        assert!(self.cases(CaseKind::Unspecified).await.is_empty());
    }
}

/// A charge to airtime whose reply was lost, one day later.
async fn charge_without_result() -> (World, Player, String) {
    let world = World::new().await;
    world.offer_all().await;
    let mut player = world.player();
    world.carrier.set(Charges::LoseReply);
    let order = world.subscribe(&player, "SAFARICOM_CREDIT", "bronze", "one").await.unwrap();
    let id = order.payment_id;
    eventually("the charge", || async {
        (!world.carrier.calls("charge").is_empty()).then_some(())
    })
    .await;
    world.until_outbox_empty().await;
    world.wait(Duration::from_secs(200)).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.assert_no_case().await;
    world.wait_signed_in(&mut player, Duration::from_hours(25)).await;
    let detail = world.until_case(CaseKind::Charge).await;
    assert!(detail.starts_with("no result of a charge to airtime for 25 hours"), "{detail}");
    (world, player, id)
}

#[tokio::test]
async fn a_charge_that_the_carriers_statement_has_starts_the_package() {
    let (world, player, id) = charge_without_result().await;
    world.ask("wanjiru", confirm(&id, "a")).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.subscriptions(&player).await.len(), 1);
    assert_eq!(world.house("CARRIER_RECEIVABLE").await, -1000);
    world.assert_no_case().await;
    world.ask("otieno", confirm(&id, "b")).await.unwrap_err();
    world.finish().await;
}

#[tokio::test]
async fn a_charge_that_the_carriers_statement_has_not_is_released() {
    let (world, player, id) = charge_without_result().await;
    world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    world.assert_no_case().await;
    assert!(world.subscriptions(&player).await.is_empty());
    assert_eq!(world.house("CARRIER_RECEIVABLE").await, 0);
    let again = world.ask("otieno", of_payment(OperationKind::Release, &id, "b")).await;
    assert_eq!(refused(&again.unwrap_err()).2.as_deref(), Some("payment_id"));
    world.finish().await;
}

#[tokio::test]
async fn a_card_transaction_that_differs_is_a_case_until_it_is_released() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.paystack.set(&id, &json!({"currency": "USD"}));
    world.wait_until_age(61).await;
    let detail = world.until_case(CaseKind::CardMismatch).await;
    assert!(detail.starts_with("paid at Paystack and not credited"), "{detail}");
    world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    world.assert_no_case().await;
    // The next verification finds the same mismatch.
    world.wait(Duration::from_mins(10)).await;
    eventually("another verification", || async {
        let verifies: i32 = sqlx::query_scalar(
            "SELECT verifies FROM card_payment WHERE leased_until IS NULL AND verifies > 1
             UNION ALL SELECT 0 LIMIT 1",
        )
        .fetch_one(&world.pool)
        .await
        .unwrap();
        (verifies > 1).then_some(())
    })
    .await;
    world.assert_no_case().await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

/// A card refund of KES 100 without a result from Paystack, when it is no longer looked for.
async fn refund_without_result() -> (World, Player, String) {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.wait_until_age(61).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.paystack.fault("refund", &[Fault::LostReply]);
    world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "refund")).await.unwrap();
    world.until_outbox_empty().await;
    world.assert_no_case().await;
    // Simulate the state after the last check.
    sqlx::query("UPDATE card_refund SET check_due_at = NULL").execute(&world.pool).await.unwrap();
    let detail = world.until_case(CaseKind::CardRefund).await;
    assert!(detail.starts_with("no result of a refund of KES 100.00"), "{detail}");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    (world, player, id)
}

#[tokio::test]
async fn a_card_refund_without_a_result_is_ended_by_an_operator_once() {
    for (is_done, balance) in [(true, 0), (false, 100)] {
        let (world, player, id) = refund_without_result().await;
        let ends = [("wanjiru", "a"), ("otieno", "b")].map(|(by, request)| {
            let asked = if is_done {
                confirm(&id, request)
            } else {
                of_payment(OperationKind::Release, &id, request)
            };
            world.ask(by, asked)
        });
        let ended = futures_util::future::join_all(ends).await;
        let done: Vec<_> = ended.into_iter().filter_map(Result::ok).collect();
        assert_eq!(done.len(), 1, "{done:?}");
        assert_eq!(done[0].amount, kes(100));
        assert_eq!(world.balance(&player).await, Money::from_shillings(balance));
        world.assert_no_case().await;
        world.finish().await;
    }
}

#[tokio::test]
async fn a_card_refund_whose_end_paystack_contradicts_is_a_case_until_it_is_released() {
    let (world, _, id) = refund_without_result().await;
    world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    world.paystack.set_refund("processed");
    // Simulate a check of the refund that was under way when it was released.
    sqlx::query("UPDATE card_refund SET check_due_at = $1")
        .bind(world.base.clock.now())
        .execute(&world.pool)
        .await
        .unwrap();
    let detail = world.until_case(CaseKind::CardRefund).await;
    assert_eq!(detail, "Paystack made a refund of KES 100.00, which it had refused");
    world.ask("wanjiru", of_payment(OperationKind::Release, &id, "b")).await.unwrap();
    world.assert_no_case().await;
    world.finish().await;
}
