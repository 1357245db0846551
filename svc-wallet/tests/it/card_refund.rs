//! Giving cards back what they paid.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;
use types::Money;

use crate::{
    paystack::Fault,
    world::{Player, World},
};

/// A top-up by card of KES 100 that was paid.
async fn paid(world: &World) -> (Player, String) {
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.wait_until_age(61).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    (player, id)
}

/// Orders a refund of KES 40, as an operator's operation does: the wallet's journal, the row
/// and the outbox row.
async fn order(world: &World, player: &Player, payment: &str) {
    sqlx::query(
        "WITH refund AS (
             INSERT INTO card_refund (id, payment_id, amount_cents, state, created_at, updated_at)
             VALUES (gen_random_uuid(), $1::uuid, 4000, 'CREATED', $3, $3) RETURNING id
         ), posted AS (
             SELECT ledger_post(gen_random_uuid(), 'REFUND', id, $3, $2::uuid,
                 house_account('CARD_RECEIVABLE'), 4000, NULL, NULL, NULL) FROM refund
         )
         INSERT INTO outbox (id, topic, payload, due_at, created_at)
         SELECT id, 'card.refund', jsonb_build_object('refund', id), '2026-01-01', '2026-01-01'
         FROM refund, posted",
    )
    .bind(payment)
    .bind(player.id.to_string())
    .bind(world.base.clock.now())
    .execute(&world.pool)
    .await
    .unwrap();
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
    order(&world, &player, &id).await;
    until_refund(&world, "PENDING").await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(60));
    let [sent] = &world.paystack.refunded()[..] else { panic!("one refund") };
    assert_eq!(sent["amount"], json!(4000));
    world.paystack.set_refund("processed");
    world.wait(Duration::from_mins(6)).await;
    until_refund(&world, "DONE").await;
    assert_eq!(world.house("CARD_RECEIVABLE").await, -6000);
    world.finish().await;
}

#[tokio::test]
async fn a_refund_whose_reply_was_lost_is_found_and_not_sent_again() {
    let world = World::new().await;
    let (player, id) = paid(&world).await;
    world.paystack.fault("refund", &[Fault::LostReply]);
    order(&world, &player, &id).await;
    until_refund(&world, "SENDING").await;
    world.until_outbox_empty().await;
    world.paystack.set_refund("processed");
    world.wait(Duration::from_mins(2)).await;
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
        order(&world, &player, &id).await;
        if !refused_at_once {
            until_refund(&world, "PENDING").await;
            world.paystack.set_refund("failed");
            // Its event has it looked for at once, however often it comes.
            let event = json!({"event": "refund.failed", "data": {
                "transaction_reference": id, "refund_reference": "1", "amount": "4000",
            }});
            world.event(&event).await.unwrap();
            world.event(&event).await.unwrap();
        }
        until_refund(&world, "FAILED").await;
        assert_eq!(world.balance(&player).await, Money::from_shillings(100));
        assert_eq!(world.house("CARD_RECEIVABLE").await, -10_000);
        world.finish().await;
    }
}
