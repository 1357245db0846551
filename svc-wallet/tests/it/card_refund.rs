//! Refunds of card payments.

use std::time::Duration;

use futures_util::future::join_all;
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{
        Direction, OperationKind, OperationState, RequestOperationRequest, Transaction,
        TransactionDesc, TransactionKind,
    },
};
use serde_json::json;
use testkit::eventually;
use types::{Money, uuid::Uuid};

use crate::{
    operations::{kes, of_payment},
    paystack::Fault,
    world::{Player, World, reason},
};

/// Paystack's fee for a payment, in cents.
const FEE: i64 = 290;

/// A top-up by card of KES 100 that was paid.
async fn paid(world: &World) -> (Player, String) {
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.wait_until_age(61).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    (player, id)
}

/// The request for a refund of a part of a card payment.
fn part(payment: &str, shillings: i32, request: &str) -> RequestOperationRequest {
    RequestOperationRequest {
        amount: kes(shillings),
        ..of_payment(OperationKind::Refund, payment, request)
    }
}

/// Has an operator refund KES 40 of a payment.
async fn order(world: &World, payment: &str) {
    let refund = world.ask("wanjiru", part(payment, 40, "a")).await.unwrap();
    assert_eq!(refund.state(), OperationState::Done);
}

fn described(line: &Transaction) -> (TransactionDesc, TransactionKind, Direction) {
    (line.transaction_desc(), line.kind(), line.direction())
}

async fn until_refund(world: &World, state: &str) {
    eventually(&format!("a refund {state}"), || async {
        let now: String = sqlx::query_scalar("SELECT state FROM card_refund")
            .fetch_one(&world.pool)
            .await
            .unwrap();
        (now == state).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_refund_leaves_the_wallet_and_reaches_the_card() {
    let world = World::new().await;
    let (player, id) = paid(&world).await;
    order(&world, &id).await;
    until_refund(&world, "PENDING").await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(60));
    let [sent] = &world.paystack.refunded()[..] else { panic!("one refund") };
    assert_eq!(sent["amount"], json!(4000));
    world.paystack.set_refund("processed");
    world.wait(Duration::from_mins(6)).await;
    until_refund(&world, "DONE").await;
    assert_eq!(world.house("CARD_RECEIVABLE").await, -6000 + FEE);
    assert!(world.inspected(&id).await.contains("refund to the card: 40.00 done"));
    let history = world.history(&player).await;
    assert_eq!(
        history.iter().map(described).collect::<Vec<_>>(),
        [
            (TransactionDesc::WithdrawWallet, TransactionKind::Refund, Direction::Debit),
            (TransactionDesc::TopupWallet, TransactionKind::TopUp, Direction::Credit),
        ]
    );
    world.finish().await;
}

#[tokio::test]
async fn a_refund_whose_reply_was_lost_is_found_and_not_sent_again() {
    let world = World::new().await;
    let (_, id) = paid(&world).await;
    world.paystack.fault("refund", &[Fault::LostReply]);
    order(&world, &id).await;
    until_refund(&world, "SENDING").await;
    world.until_outbox_empty().await;
    world.paystack.set_refund("processed");
    world.wait(Duration::from_mins(2)).await;
    until_refund(&world, "DONE").await;
    assert_eq!(world.paystack.refunded().len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn while_payouts_are_paused_a_refund_waits() {
    let world = World::new().await;
    let (_, id) = paid(&world).await;
    world.pause("wanjiru").await;
    let refund = world.ask("wanjiru", part(&id, 40, "a")).await.unwrap();
    world.decide("otieno", &refund.id, true).await.unwrap();
    world.until_put_off().await;
    assert!(world.paystack.refunded().is_empty());
    world.resume_by_two().await;
    until_refund(&world, "PENDING").await;
    world.finish().await;
}

#[tokio::test]
async fn a_refund_whose_claim_the_database_has_lost_is_found_and_not_sent_again() {
    let world = World::new().await;
    let (_, id) = paid(&world).await;
    world.paystack.fault("refund", &[Fault::LostReply]);
    order(&world, &id).await;
    until_refund(&world, "SENDING").await;
    world.until_outbox_empty().await;
    // The database goes on from before the claim.
    let refund: Uuid = sqlx::query_scalar(
        "UPDATE card_refund SET state = 'CREATED', check_due_at = NULL RETURNING id",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    let (clock, rng) = (&world.base.clock, &world.base.rng);
    let mut conn = world.pool.acquire().await.unwrap();
    mesh::outbox::put(&mut conn, clock, rng, "card.refund", &json!({"refund": refund}))
        .await
        .unwrap();
    world.promote().await;
    world.wait(Duration::from_secs(1)).await;
    world.paystack.set_refund("processed");
    world.resume_by_two().await;
    until_refund(&world, "DONE").await;
    assert_eq!(world.paystack.refunded().len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_refund_that_paystack_refuses_returns_to_the_wallet_once() {
    for refused_at_once in [true, false] {
        let world = World::new().await;
        let (player, id) = paid(&world).await;
        if refused_at_once {
            world.paystack.fault("refund", &[Fault::Refuse]);
        }
        order(&world, &id).await;
        if !refused_at_once {
            until_refund(&world, "PENDING").await;
            world.paystack.set_refund("failed");
            // An event makes the refund due at once, however often it comes.
            let event = json!({"event": "refund.failed", "data": {
                "transaction_reference": id, "refund_reference": "1", "amount": "4000",
            }});
            world.event(&event).await.unwrap();
            world.event(&event).await.unwrap();
        }
        until_refund(&world, "FAILED").await;
        assert_eq!(world.balance(&player).await, Money::from_shillings(100));
        assert_eq!(world.house("CARD_RECEIVABLE").await, -10_000 + FEE);
        // All of the payment can be given back by another operation.
        let whole = of_payment(OperationKind::Refund, &id, "b");
        assert_eq!(world.ask("wanjiru", whole).await.unwrap().amount, kes(100));
        world.finish().await;
    }
}

#[tokio::test]
async fn no_more_is_given_back_than_was_paid_however_often_it_is_asked() {
    let world = World::new().await;
    let (player, id) = paid(&world).await;
    // Other money in the wallet must not go to this card.
    world.phone(json!({"stk": "approve"})).await;
    let other = world.top_up(&player, 500).await;
    world.until(&player, &other, PaymentStatus::Completed).await;

    let repeats = (0..8).map(|_| world.ask("wanjiru", part(&id, 40, "a")));
    for repeat in join_all(repeats).await {
        assert_eq!(repeat.unwrap().amount, kes(40));
    }
    let many = (0..4).map(|number| {
        let (world, id) = (&world, &id);
        async move { world.ask("wanjiru", part(id, 40, &format!("b{number}"))).await.is_ok() }
    });
    let taken = join_all(many).await.into_iter().filter(|taken| *taken).count();
    assert_eq!(taken, 1, "one more of 40 fits into 100");
    let over = world.ask("wanjiru", part(&id, 21, "c")).await.unwrap_err();
    assert_eq!(reason(&over), "INVALID_OPERATION");
    world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "d")).await.unwrap();

    assert_eq!(world.balance(&player).await, Money::from_shillings(500));
    eventually("all three are sent", || async {
        (world.paystack.refunded().len() == 3).then_some(())
    })
    .await;
    world.finish().await;
}
