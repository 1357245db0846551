//! Reversals whose replies and results are lost, late, repeated or about another reversal.

use super::*;

#[tokio::test]
async fn a_lost_reply_leaves_it_unknown_until_its_result_comes() {
    let (world, player, id) = paid().await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "reversal"})).await;
    world.give_back(&id, "a").await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn where_reply_and_result_are_lost_a_query_finds_that_the_receipt_is_reversed() {
    let (world, _, id) = paid().await;
    world.hold_callbacks();
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "reversal"})).await;
    world.give_back(&id, "a").await;
    world.until_reversal("UNKNOWN").await;
    world.reversal_result().await;
    world.let_callbacks_in();
    world.wait(Duration::from_secs(121)).await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_result_that_comes_late_and_twice_is_applied_once() {
    let (world, player, id) = paid().await;
    world.hold_callbacks();
    world.give_back(&id, "a").await;
    let (secret, body) = world.reversal_result().await;
    world.until_reversal("SUBMITTED").await;
    world.until_outbox_empty().await;
    world.let_callbacks_in();
    for _ in 0..3 {
        assert!(world.call_hook("reversal", &secret, body.clone()).await.is_success());
    }
    world.until_reversal("SUCCEEDED").await;
    // A later failure changes nothing.
    let refused = result(&json!(1), "", 0);
    world.report_reversal(&secret, &refused).await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_result_before_darajas_reply_is_applied() {
    let (world, player, id) = paid().await;
    let slow = json!({"provider": "daraja", "kind": "slow", "call": "reversal", "delayMs": 1500});
    world.fault(slow).await;
    world.give_back(&id, "a").await;
    world.until_reversal("SUCCEEDED").await;
    let held: i64 =
        sqlx::query_scalar("SELECT count(*) FROM outbox WHERE topic = 'daraja.reverse'")
            .fetch_one(&world.pool)
            .await
            .unwrap();
    assert_eq!(held, 1, "the reply is still awaited");
    world.until_outbox_empty().await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_refused_reversal_returns_the_money_once_and_another_can_try() {
    let (world, player, id) = paid().await;
    world.set_bank_float(0).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let (secret, body) = world.reversal_result().await;
    assert!(world.call_hook("reversal", &secret, body).await.is_success());
    world.until_outbox_empty().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.assert_books_agree().await;
    let failed = world.give_back(&id, "a").await;
    assert!(failed.remark.contains("where it was before"), "{}", failed.remark);

    world.set_bank_float(1_000).await;
    // Ids are ordered by time, so the clock must advance.
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "b").await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_death_between_claim_and_call_is_unknown_and_not_sent_again() {
    let (mut world, player, id) = paid().await;
    world.spike_reversals().await;
    world.give_back(&id, "a").await;
    world.until_put_off().await;
    world.stop_wallet().await;
    // Simulate a crash right after the claim.
    let due = world.base.clock.now() + Duration::from_mins(2);
    sqlx::query(
        "UPDATE mpesa_reversal SET state = 'SUBMITTING', attempts = 1, submitted_at = $1,
             query_due_at = $2",
    )
    .bind(world.base.clock.now())
    .bind(due)
    .execute(&world.pool)
    .await
    .unwrap();
    sqlx::query("UPDATE outbox SET leased = true, due_at = '2026-01-01'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.clear_faults().await;
    world.start_wallet().await;
    world.until_put_off().await;
    assert_eq!(world.reversal_state().await, "SUBMITTING");
    world.wait(Duration::from_secs(121)).await;
    world.until_reversal("UNKNOWN").await;
    world.wait(Duration::from_secs(31)).await;
    world.until_outbox_empty().await;
    world.until_next_reversal_query(1).await;
    assert_eq!(world.bank_reversed().await, (0, 0), "it is not sent again");
    assert_eq!(world.balance(&player).await, Money::ZERO, "and its money is not free");

    // An hour later the reversal is a case, and an operator has it sent again.
    world.wait(Duration::from_hours(1)).await;
    let player = world.renewed(&player);
    let cases = world.cases(CaseKind::Reversal).await;
    assert_eq!(cases.len(), 1);
    assert!(cases[0].detail.contains("no result of a reversal of KES 100.00"), "{cases:?}");
    let again = world.give_back(&id, "again").await;
    assert_eq!(again.remark, "M-Pesa is asked to reverse it");
    assert!(world.cases(CaseKind::Reversal).await.is_empty(), "it begins anew");
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO, "the money left once");
    assert!(world.cases(CaseKind::Reversal).await.is_empty());
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn one_that_is_taken_back_after_its_delivery_was_repeated_is_sent() {
    let (world, player, id) = paid().await;
    world.spike_reversals().await;
    world.give_back(&id, "a").await;
    world.until_put_off().await;
    // Simulate a delivery that was cancelled while Daraja was slow.
    let set = |state: &'static str, attempts: i32| {
        sqlx::query("UPDATE mpesa_reversal SET state = $1, attempts = $2")
            .bind(state)
            .bind(attempts)
            .execute(&world.pool)
    };
    set("SUBMITTING", 1).await.unwrap();
    world.clear_faults().await;
    world.wait(Duration::from_secs(31)).await;
    world.until_put_off().await;
    assert_eq!(world.reversal_state().await, "SUBMITTING");
    // The delivery's call ends: Daraja did not get it.
    set("CREATED", 0).await.unwrap();
    world.wait(Duration::from_secs(31)).await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn already_reversed_ends_an_unknown_one_and_pays_nothing_twice() {
    let (world, player, id) = paid().await;
    world.hold_callbacks();
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "reversal"})).await;
    world.give_back(&id, "a").await;
    world.until_reversal("UNKNOWN").await;
    world.reversal_result().await;
    world.let_callbacks_in();
    world.give_back(&id, "again").await;
    world.until_reversal("SUCCEEDED").await;
    let code: String = sqlx::query_scalar("SELECT result_code FROM mpesa_reversal")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(code, "R000001");
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn an_unknown_one_is_a_case_after_a_day_and_an_operator_ends_it() {
    for (kind, state, balance) in
        [(OperationKind::Confirm, "SUCCEEDED", 0), (OperationKind::Release, "FAILED", 100)]
    {
        let (world, player, id) = paid().await;
        // Daraja does nothing, and the reply is lost.
        world.fault(json!({"provider": "daraja", "kind": "down", "call": "reversal"})).await;
        world.give_back(&id, "a").await;
        world.until_reversal("UNKNOWN").await;
        world.wait(Duration::from_hours(25)).await;
        eventually("a case", || async {
            let case: Option<String> = sqlx::query_scalar("SELECT case_kind FROM mpesa_reversal")
                .fetch_one(&world.pool)
                .await
                .unwrap();
            case
        })
        .await;
        let player = world.renewed(&player);
        assert_eq!(world.balance(&player).await, Money::ZERO);
        if kind == OperationKind::Confirm {
            let own = world.receipt_of(&id).await;
            let asked = of_receipt(kind, &id, &own, "payments");
            assert_eq!(world.refused_field(asked).await, "receipt");
            assert_eq!(world.reversal_state().await, "UNKNOWN");
        }
        let receipt = (kind == OperationKind::Confirm).then(|| "BACK1".to_owned());
        let asked = RequestOperationRequest { receipt, ..of_payment(kind, &id, "end") };
        world.ask("otieno", asked).await.unwrap();
        assert_eq!(world.reversal_state().await, state);
        assert_eq!(world.balance(&player).await, Money::from_shillings(balance));
        assert!(world.cases(CaseKind::Reversal).await.is_empty());
        world.finish().await;
    }
}

#[tokio::test]
async fn a_result_that_is_not_about_this_reversal_moves_nothing() {
    let (world, player, id) = paid().await;
    world.hold_callbacks();
    world.give_back(&id, "a").await;
    world.reversal_result().await;
    world.until_reversal("SUBMITTED").await;
    world.until_outbox_empty().await;
    world.let_callbacks_in();
    let receipt = world.receipt_of(&id).await;
    let secret = world.reversal_secret().await;
    let mut conversation = result(&json!(1), &receipt, 100);
    conversation["Result"]["ConversationID"] = "AG_other".into();
    for body in [
        result(&json!(0), "ANOTHER1", 100),
        conversation,
        result(&json!(0), &receipt, 99),
        json!({"Result": 1}),
    ] {
        world.report_reversal(&secret, &body).await;
    }
    // A time-out in Daraja's queue is no evidence.
    let queued = result(&json!(1), "", 0).to_string().into_bytes();
    assert!(world.call_hook("timeout", &secret, queued).await.is_success());
    world.until_outbox_empty().await;
    let outcomes = world.outcomes().await;
    let outcomes: Vec<_> = outcomes.iter().filter(|outcome| *outcome != "applied").collect();
    let expected =
        ["another amount", "another conversation", "another receipt", "timed out", "unreadable"];
    assert_eq!(outcomes, expected);
    assert_eq!(world.reversal_state().await, "UNKNOWN");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    let cases = world.cases(CaseKind::Reversal).await;
    assert!(cases[0].detail.starts_with("M-Pesa reversed another amount"), "{cases:?}");
    // A secret is valid for the hooks of its purpose only, and a forged one for none.
    let body = result(&json!(0), &receipt, 100).to_string().into_bytes();
    for (hook, secret) in
        [("status", secret.as_str()), ("b2c", &secret), ("stk", &secret), ("reversal", "forged")]
    {
        let status = world.call_hook(hook, secret, body.clone()).await;
        assert_eq!(status, axum::http::StatusCode::NOT_FOUND, "{hook}");
    }
    // After M-Pesa has contradicted itself, only an operator ends the reversal.
    for later in [result(&json!(0), &receipt, 100), result(&json!("R000001"), "", 0)] {
        world.report_reversal(&secret, &later).await;
        assert_eq!(world.reversal_state().await, "UNKNOWN");
    }
    let resent = of_payment(OperationKind::Refund, &id, "again");
    assert_eq!(world.refused_field(resent).await, "payment_id");
    assert_eq!(world.cases(CaseKind::Reversal).await.len(), 1);
    let confirm = of_receipt(OperationKind::Confirm, &id, "BACK2", "confirm");
    world.ask("wanjiru", confirm).await.unwrap();
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    world.finish().await;
}

#[tokio::test]
async fn one_receipt_of_m_pesa_ends_one_reversal() {
    let (world, _, first) = paid().await;
    let (player, id) = world.paid_by_mpesa(100).await;
    world.give_back(&first, "first").await;
    world.until_reversal("SUCCEEDED").await;
    sqlx::query("UPDATE mpesa_reversal SET reversal_receipt = 'BACK1'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.until_outbox_empty().await;
    // Ids are ordered by time, so the clock must advance.
    world.wait(Duration::from_secs(1)).await;
    world.hold_callbacks();
    world.give_back(&id, "a").await;
    let (secret, receipt) = (world.lose_result().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 100)).await;
    assert_eq!(world.reversal_state().await, "UNKNOWN");
    assert!(world.outcomes().await.contains(&"receipt already used".to_owned()));
    assert_eq!(world.cases(CaseKind::Reversal).await.len(), 1);
    let used = of_receipt(OperationKind::Confirm, &id, "BACK1", "b");
    assert_eq!(world.refused_field(used).await, "receipt");
    world.ask("wanjiru", of_receipt(OperationKind::Confirm, &id, "BACK2", "c")).await.unwrap();
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}
