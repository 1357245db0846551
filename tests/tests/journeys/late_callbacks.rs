//! Lost and late callbacks. svc-wallet queries the provider 20 s after the push, and
//! the mesh runs on the system clock, so these journeys are slow.

use std::time::Duration;

use journeys::{Mesh, within};
use serde_json::json;
use types::Money;

/// The time limit for the first STK query, which svc-wallet sends 20 s after the push.
const FIRST_QUERY: Duration = Duration::from_secs(35);

#[tokio::test]
async fn a_payment_without_a_callback_is_settled_by_a_query() {
    let mesh = Mesh::from_env();
    let (payer, decliner) = (mesh.new_player().await, mesh.new_player().await);
    payer.set_handset(json!({"stk": "silent"})).await;
    decliner.set_handset(json!({"stk": "cancel", "callbacks": 0})).await;
    let (paid, refused) = (payer.top_up(100).await, decliner.top_up(100).await);

    let paid = payer.until_final_within(FIRST_QUERY, &paid).await;
    assert_eq!(paid["status"], "COMPLETED");
    payer.reconcile(Money::from_shillings(100)).await;
    let refused = decliner.until_final_within(FIRST_QUERY, &refused).await;
    assert_eq!(refused["status"], "ERROR");
    decliner.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn a_callback_after_the_query_adds_the_receipt_and_no_money() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve", "callbackDelayMs": 26_000, "callbacks": 2})).await;
    let id = player.top_up(100).await;

    // The query's reply has no receipt; the payment is credited without one.
    let payment = player.until_final_within(FIRST_QUERY, &id).await;
    assert_eq!(payment["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(100)).await;

    let receipt = within(FIRST_QUERY, "the receipt", || async {
        let line = player.transactions().await.remove(0);
        line["payment"]["receipt"].as_str().map(str::to_owned)
    })
    .await;
    let book = mesh.sandbox().received_from(&player.phone).await;
    assert_eq!(receipt, book[0].receipt);
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn a_late_callback_settles_an_open_payment() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "manual", "callbackDelayMs": 3_000})).await;
    let id = player.top_up(100).await;
    player.until_status(&id, "IN_PROGRESS").await;
    mesh.sandbox().enter_pin(&player.phone, "1234").await;
    // The phone has paid; the wallet shows it only after the callback.
    assert_eq!(player.paid_by_phone().await, Money::from_shillings(100));
    let balance = player.balance().await;
    let called_back = !mesh.sandbox().pushes_to(&player.phone).await[0].deliveries.is_empty();
    assert!(called_back || balance == Money::ZERO, "{balance} before the callback");

    assert_eq!(player.until_final(&id).await["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(100)).await;
}
