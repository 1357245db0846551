//! When the provider says nothing, or too late. The wallet asks 20 s after the
//! push, and the clock is the real one: these are the slow journeys.

use std::time::Duration;

use journeys::{Mesh, within};
use serde_json::json;
use types::Money;

/// The wallet's first question comes after 20 s.
const FIRST_QUESTION: Duration = Duration::from_secs(35);

#[tokio::test]
async fn a_lost_callback_is_asked_for() {
    let mesh = Mesh::from_env();
    let (payer, decliner) = (mesh.newcomer().await, mesh.newcomer().await);
    payer.habit(json!({"stk": "silent"})).await;
    decliner.habit(json!({"stk": "cancel", "callbacks": 0})).await;
    let (paid, refused) = (payer.top_up(100).await, decliner.top_up(100).await);

    let paid = payer.until_final_within(FIRST_QUESTION, &paid).await;
    assert_eq!(paid["status"], "COMPLETED");
    payer.reconcile(Money::from_shillings(100)).await;
    let refused = decliner.until_final_within(FIRST_QUESTION, &refused).await;
    assert_eq!(refused["status"], "ERROR");
    decliner.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn a_callback_after_the_answer_brings_the_receipt_and_no_more_money() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "approve", "callbackDelayMs": 26_000, "callbacks": 2})).await;
    let id = player.top_up(100).await;

    // The question's answer has no receipt, and money that moved is credited.
    let payment = player.until_final_within(FIRST_QUESTION, &id).await;
    assert_eq!(payment["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(100)).await;

    let receipt = within(FIRST_QUESTION, "the receipt", || async {
        let line = player.transactions().await.remove(0);
        line["payment"]["receipt"].as_str().map(str::to_owned)
    })
    .await;
    let book = mesh.sandbox().received_from(&player.phone).await;
    assert_eq!(receipt, book[0].receipt);
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn a_late_callback_ends_a_payment_that_waits() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "manual", "callbackDelayMs": 3_000})).await;
    let id = player.top_up(100).await;
    player.until_status(&id, "IN_PROGRESS").await;
    mesh.sandbox().enter_pin(&player.phone, "1234").await;
    // The phone has paid; until somebody tells us, the wallet does not know.
    assert_eq!(player.paid_by_phone().await, Money::from_shillings(100));
    let balance = player.balance().await;
    let told = !mesh.sandbox().pushes_to(&player.phone).await[0].deliveries.is_empty();
    assert!(told || balance == Money::ZERO, "{balance} before anybody told us");

    assert_eq!(player.until_final(&id).await["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(100)).await;
}
