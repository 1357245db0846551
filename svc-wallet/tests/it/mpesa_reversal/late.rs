//! Second receipts, and reversals that M-Pesa carried out after their money was returned.

use super::*;

#[tokio::test]
async fn a_release_that_waits_closes_no_second_receipt() {
    let world = World::new().await;
    let (_, id) = world.paid_by_mpesa(12_000).await;
    world.fault(json!({"provider": "daraja", "kind": "down", "call": "reversal"})).await;
    let refund = of_payment(OperationKind::Refund, &id, "a");
    let refund = world.ask("wanjiru", refund).await.unwrap();
    world.decide("otieno", &refund.id, true).await.unwrap();
    world.until_reversal("UNKNOWN").await;
    world.add_second_receipt(&id, "SECOND1", 12_000).await;
    let release = of_payment(OperationKind::Release, &id, "b");
    let release = world.ask("wanjiru", release).await.unwrap();
    assert_eq!(release.state(), OperationState::Waiting);
    // The result ends the reversal that the release was requested for.
    let (secret, receipt) = (world.reversal_secret().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 12_000)).await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert!(world.decide("otieno", &release.id, true).await.is_err());
    assert_eq!(world.cases(CaseKind::PaidTwice).await.len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_that_is_another_payments_moves_no_money() {
    let (world, player, id) = paid().await;
    let (other, others) = world.paid_by_mpesa(100).await;
    let receipt = world.receipt_of(&others).await;
    world.add_second_receipt(&id, &receipt, 100).await;
    for kind in [OperationKind::Refund, OperationKind::Credit] {
        let asked = of_payment(kind, &id, kind.as_str_name());
        assert_eq!(world.refused_field(asked).await, "payment_id");
    }
    let release = of_receipt(OperationKind::Release, &id, &receipt, "release");
    world.ask("wanjiru", release).await.unwrap();
    assert!(world.cases(CaseKind::PaidTwice).await.is_empty());
    for player in [&player, &other] {
        assert_eq!(world.balance(player).await, Money::from_shillings(100));
    }
    assert_eq!(world.bank_reversed().await, (0, 0));
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_that_is_reversed_late_is_given_back_and_not_credited() {
    let (world, player, id) = paid().await;
    world.add_second_receipt(&id, "SECOND1", 100).await;
    world.give_back(&id, "a").await;
    // The sandbox does not know the receipt.
    world.until_reversal("FAILED").await;
    assert_eq!(world.cases(CaseKind::PaidTwice).await.len(), 1);
    let secret = world.reversal_secret().await;
    world.report_reversal(&secret, &result(&json!(0), "SECOND1", 100)).await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    let credit = of_payment(OperationKind::Credit, &id, "b");
    assert_eq!(world.refused_field(credit).await, "payment_id");
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_that_is_reversed_after_its_credit_is_taken_out_of_the_wallet() {
    let (world, player, id) = paid().await;
    world.add_second_receipt(&id, "SECOND1", 100).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    world.ask("wanjiru", of_payment(OperationKind::Credit, &id, "b")).await.unwrap();
    let secret = world.reversal_secret().await;
    world.report_reversal(&secret, &result(&json!(0), "SECOND1", 100)).await;
    assert_eq!(world.reversal_state().await, "FAILED");
    assert_eq!(world.balance(&player).await, Money::from_shillings(200));
    assert_eq!(world.cases(CaseKind::Reversal).await.len(), 1);
    // The second receipt is given back, not the payment's first one.
    world.hold_callbacks();
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "c").await;
    assert_eq!(world.newest_reversal().await, ("SECOND1".to_owned(), "WALLET".to_owned()));
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    world.finish_reversal().await;
    // The first receipt can still be given back.
    world.wait(Duration::from_secs(1)).await;
    assert_eq!(world.give_back(&id, "d").await.amount, kes(100));
    assert_eq!(world.newest_reversal().await.0, world.receipt_of(&id).await);
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn suspense_that_is_reversed_late_is_not_credited_but_taken_out() {
    let world = World::new().await;
    let player = world.player();
    let id = world.suspend(&player).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let secret = world.reversal_secret().await;
    world.report_reversal(&secret, &result(&json!(0), "OTHER1", 120)).await;
    // The reversal's case is listed before the payment's others.
    let cases = world.cases(CaseKind::Unspecified).await;
    assert_eq!(cases.iter().map(OpenCase::kind).collect::<Vec<_>>(), [CaseKind::Reversal]);
    let credit = of_payment(OperationKind::Credit, &id, "b");
    assert_eq!(world.refused_field(credit).await, "payment_id");
    let release = of_receipt(OperationKind::Release, &id, "OTHER1", "c");
    assert_eq!(world.refused_field(release).await, "payment_id", "it is not spent");
    world.hold_callbacks();
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "d").await;
    assert_eq!(world.newest_reversal().await, ("OTHER1".to_owned(), "SUSPENSE".to_owned()));
    assert_eq!(world.house("SUSPENSE").await, 0);
    world.finish_reversal().await;
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn playon_bears_the_loss_of_what_was_reversed_late_and_is_spent() {
    let (world, player, id) = paid().await;
    world.set_bank_float(0).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let (secret, receipt) = (world.reversal_secret().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 100)).await;
    let unnamed = of_payment(OperationKind::Release, &id, "b");
    assert_eq!(world.refused_field(unnamed).await, "receipt");
    let release = of_receipt(OperationKind::Release, &id, &receipt, "c");
    assert_eq!(world.ask("wanjiru", release).await.unwrap().amount, kes(100));
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.house("PROMOTIONS").await, -10_000);
    assert_eq!(world.house("MPESA_UTILITY").await, 0);
    // Neither a repeat nor an operator gives the money back again.
    world.report_reversal(&secret, &result(&json!("R000001"), "", 0)).await;
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    let refund = of_payment(OperationKind::Refund, &id, "d");
    assert_eq!(world.refused_field(refund).await, "payment_id");
    world.finish().await;
}

#[tokio::test]
async fn a_reversal_after_its_money_was_returned_is_a_case_until_it_is_taken_out_again() {
    let (world, player, id) = paid().await;
    world.set_bank_float(0).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let (secret, receipt) = (world.reversal_secret().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 100)).await;
    assert_eq!(world.reversal_state().await, "FAILED");
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    let cases = world.cases(CaseKind::Reversal).await;
    assert!(cases[0].detail.contains("refund takes it out again"), "{cases:?}");
    world.set_bank_float(1_000).await;
    // Ids are ordered by time, so the clock must advance.
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "b").await;
    world.until_reversal("SUCCEEDED").await;
    assert!(world.cases(CaseKind::Reversal).await.is_empty());
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}
