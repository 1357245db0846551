//! Top-ups, for each action of the phone's owner.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{Direction, TransactionDesc},
};
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::world::{World, english, reason};

#[tokio::test]
async fn an_approved_top_up_is_credited_and_in_the_history() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;

    let id = world.top_up(&player, 100).await;
    let payment = world.until(&player, &id, PaymentStatus::Completed).await;

    assert_eq!(english(payment.text.as_ref()), "Top up request was processed successfully!");
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    let history = world.history(&player).await;
    assert_eq!(history.len(), 1);
    let line = &history[0];
    assert_eq!(line.transaction_desc(), TransactionDesc::TopupWallet);
    assert_eq!(line.direction(), Direction::Credit);
    assert_eq!(line.balance_after.map(Money::from), Some(Money::from_shillings(100)));
    let payin = line.payment.as_ref().unwrap();
    assert!(payin.successful && payin.receipt.is_some() && payin.mpesa_transaction_date.is_some());
    assert_eq!(world.bank_received().await, 100);
    world.finish().await;
}

#[tokio::test]
async fn a_refused_top_up_gives_the_cause_and_moves_nothing() {
    for (script, words) in [
        ("cancel", "You cancelled"),
        ("wrong_pin", "PIN was wrong"),
        ("insufficient", "balance is too low"),
        ("timeout", "did not enter your PIN"),
        ("unreachable", "did not enter your PIN"),
        ("expired", "did not enter your PIN"),
        ("no_mpesa", "is not on M-Pesa"),
    ] {
        let world = World::new().await;
        let player = world.player();
        world.phone(json!({"stk": script})).await;
        let id = world.top_up(&player, 100).await;
        let payment = world.until(&player, &id, PaymentStatus::Error).await;
        assert!(
            english(payment.text.as_ref()).contains(words),
            "{script}: {}",
            english(payment.text.as_ref())
        );
        assert_eq!(world.balance(&player).await, Money::ZERO, "{script}");
        assert_eq!(world.bank_received().await, 0, "{script}");
        world.finish().await;
    }
}

#[tokio::test]
async fn the_message_names_the_phone_while_the_prompt_is_open() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    let payment = world.until(&player, &id, PaymentStatus::InProgress).await;
    assert_eq!(english(payment.text.as_ref()), "Enter your M-Pesa PIN on 0712 … 678.");
    world.finish().await;
}

#[tokio::test]
async fn a_request_that_is_sent_twice_makes_one_payment() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let request = world.request(100, "the-same").await;

    let first = world.send(&player, request.clone()).await.unwrap();
    let second = world.send(&player, request.clone()).await.unwrap();
    assert_eq!(first.payment_id, second.payment_id);
    world.until(&player, &first.payment_id, PaymentStatus::Completed).await;
    let third = world.send(&player, request).await.unwrap();
    assert_eq!(third.status(), PaymentStatus::Completed);

    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.bank_received().await, 100);
    world.finish().await;
}

#[tokio::test]
async fn a_request_that_is_sent_ten_times_at_once_makes_one_payment() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let request = world.request(100, "the-same").await;
    let requests = (0..10).map(|_| world.send(&player, request.clone()));
    let ids: std::collections::HashSet<String> = futures_util::future::join_all(requests)
        .await
        .into_iter()
        .map(|payment| payment.unwrap().payment_id)
        .collect();
    assert_eq!(ids.len(), 1);
    for id in &ids {
        world.until(&player, id, PaymentStatus::Completed).await;
    }
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn refuses_a_request_id_that_was_used_with_other_content() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "manual"})).await;
    world.send(&player, world.request(100, "a-key").await).await.unwrap();
    let refused = world.send(&player, world.request(200, "a-key").await).await.unwrap_err();
    assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    // The same key of another player is another request.
    let other = world.player();
    assert!(world.send(&other, world.request(200, "a-key").await).await.is_ok());
    world.finish().await;
}

#[tokio::test]
async fn refuses_more_than_the_daily_limit() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    for key in ["one", "two"] {
        world.send(&player, world.request(250_000, key).await).await.unwrap();
    }
    let refused = world.send(&player, world.request(1, "three").await).await.unwrap_err();
    assert_eq!(reason(&refused), "DAILY_LIMIT");
    assert!(refused.message().contains("KES 500,000.00"), "{}", refused.message());
    world.finish().await;
}

#[tokio::test]
async fn another_amount_is_set_aside_and_never_credited() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "wrong_amount"})).await;
    let id = world.top_up(&player, 100).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("different amount"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.balance(&player).await, Money::ZERO);
    let aside: i64 = sqlx::query_scalar(
        "SELECT sum(amount_cents)::bigint FROM posting
         WHERE account_id = house_account('SUSPENSE')",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!(aside, 10_100);
    world.finish().await;
}

#[tokio::test]
async fn a_large_top_up_is_credited_once_daraja_confirms_it() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let busy = json!({"provider": "daraja", "kind": "spike", "call": "stkquery", "count": 100});
    world.fault(busy).await;
    let id = world.top_up(&player, 50_000).await;
    eventually("a query", || async { (world.faults_left().await < 100).then_some(()) }).await;
    assert_eq!(world.callbacks().len(), 1, "it says paid");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.clear_faults().await;
    eventually("the confirmation", || async {
        world.wait(Duration::from_secs(1)).await;
        let status = world.payment(&player, &id).await.unwrap().status();
        (status == PaymentStatus::Completed).then_some(())
    })
    .await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(50_000));
    world.finish().await;
}
