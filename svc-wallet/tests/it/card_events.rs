//! Paystack's events about card payments, refunds and disputes.

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{OperationKind, Provider},
};
use serde_json::{Value, json};
use tonic::{Code, Status};
use types::Money;

use crate::{
    operations::of_payment,
    paystack::sign,
    world::{World, reason},
};

impl World {
    pub(crate) async fn event(&self, event: &Value) -> Result<(), Status> {
        let body = event.to_string().into_bytes();
        let signature = sign(&body);
        self.receive(Provider::Paystack, ("", &signature), body).await
    }
}

#[tokio::test]
async fn an_event_credits_the_wallet_once_however_often_it_comes() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    let event = world.paystack.charge(&id);
    world.event(&event).await.unwrap();
    world.event(&event).await.unwrap();
    // The same event in another spelling.
    let mut spelt = event.clone();
    spelt["data"]["gateway_response"] = json!("Approved");
    world.event(&spelt).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.until_outbox_empty().await;
    world.event(&event).await.unwrap();
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await, ["applied"]);
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.paystack.verified(), 0);
    world.finish().await;
}

#[tokio::test]
async fn an_event_and_a_verification_at_once_credit_once() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.wait_until_age(61).await;
    world.event(&world.paystack.charge(&id)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn an_event_with_a_wrong_signature_is_refused_and_not_stored() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    let body = world.paystack.charge(&id).to_string().into_bytes();
    let of_another = sign(b"another body");
    for signature in ["", "00", &of_another] {
        let refused = world.receive(Provider::Paystack, ("", signature), body.clone()).await;
        assert_eq!(refused.unwrap_err().code(), Code::NotFound, "{signature}");
    }
    let stored: i64 = sqlx::query_scalar("SELECT count(*) FROM callback_inbox")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(stored, 0);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn an_event_may_have_64_kib() {
    let world = World::new().await;
    let long =
        |bytes: usize| json!({"event": "x", "data": {"id": bytes, "log": "a".repeat(bytes)}});
    world.event(&long(60 * 1024)).await.unwrap();
    world.event(&long(64 * 1024)).await.unwrap_err();
    world.finish().await;
}

#[tokio::test]
async fn a_signed_event_about_another_payment_than_ours_credits_nothing() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    let mut number = 0;
    for (change, outcome) in [
        (json!({"reference": "shop-17"}), "unknown reference"),
        (json!({"reference": format!("{id}-2")}), "unknown reference"),
        (json!({"reference": "0193a4f0-0000-7000-8000-00000000beef"}), "unknown reference"),
        (json!({"currency": "NGN"}), "mismatch"),
        (json!({"domain": "live"}), "mismatch"),
    ] {
        number += 1;
        let mut event = world.paystack.charge(&id);
        event["data"].as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        event["data"]["id"] = json!(number);
        world.event(&event).await.unwrap();
        world.until_outbox_empty().await;
        assert!(world.outcomes().await.contains(&outcome.to_owned()), "{change}");
    }
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn a_large_event_is_credited_once_paystack_confirms_it() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 50_000).await.payment_id;
    // The event says paid, and Paystack's own reply does not.
    let mut event = world.paystack.charge(&id);
    event["data"]["status"] = json!("success");
    world.event(&event).await.unwrap();
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await, ["not confirmed"]);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.paystack.pay(&id);
    world.wait_until_age(61).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(50_000));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_that_was_paid_on_two_pages_is_credited_once() {
    let world = World::new().await;
    let player = world.player();
    world.paystack.fault("initialize", &[crate::paystack::Fault::LostReply]);
    let id = world.card(&player, 100).await.payment_id;
    let second = format!("{id}-2");
    world.paystack.pay(&id);
    world.paystack.pay(&second);
    world.event(&world.paystack.charge(&second)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.event(&world.paystack.charge(&id)).await.unwrap();
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await, ["applied", "second receipt"]);
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_dispute_marks_the_payment_whatever_the_order_of_its_events() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.event(&world.paystack.charge(&id)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    let dispute = |event: &str, resolution: Value| {
        json!({"event": event, "data": {
            "id": 358_950, "refund_amount": 10_000, "currency": "KES", "resolution": resolution,
            "transaction": {"id": 1, "reference": id},
        }})
    };
    let state = || async {
        world.until_outbox_empty().await;
        sqlx::query_as::<_, (Option<String>, Option<String>, Option<i64>)>(
            "SELECT dispute_state, dispute_resolution, disputed_cents FROM card_payment",
        )
        .fetch_one(&world.pool)
        .await
        .unwrap()
    };
    world.event(&dispute("charge.dispute.create", Value::Null)).await.unwrap();
    assert_eq!(state().await, (Some("OPEN".into()), None, Some(10_000)));
    // A refund would send the money to the card twice.
    let refund = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "a")).await;
    assert_eq!(reason(&refund.unwrap_err()), "INVALID_OPERATION");
    world.event(&dispute("charge.dispute.resolve", json!("declined"))).await.unwrap();
    let resolved = (Some("RESOLVED".to_owned()), Some("declined".to_owned()), Some(10_000));
    assert_eq!(state().await, resolved);
    // A late reminder does not reopen the dispute.
    world.event(&dispute("charge.dispute.remind", Value::Null)).await.unwrap();
    assert_eq!(state().await, resolved);
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn what_a_lost_dispute_gave_back_leaves_the_wallet_and_is_not_sent_again() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.event(&world.paystack.charge(&id)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    let lost = json!({"event": "charge.dispute.resolve", "data": {
        "id": 358_950, "refund_amount": 10_000, "currency": "KES",
        "resolution": "merchant-accepted", "transaction": {"id": 1, "reference": id},
    }});
    world.event(&lost).await.unwrap();
    world.until_outbox_empty().await;

    world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "a")).await.unwrap();

    world.until_outbox_empty().await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    // Paystack owes PlayOn nothing but the fee that it kept.
    assert_eq!(world.house("CARD_RECEIVABLE").await, 290);
    assert!(world.paystack.refunded().is_empty());
    world.finish().await;
}
