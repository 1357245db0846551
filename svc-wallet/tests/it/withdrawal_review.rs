//! Which withdrawals an operator looks at first, and what their players read meanwhile.

use std::time::Duration;

use futures_util::future::join_all;
use metrics_exporter_prometheus::PrometheusBuilder;
use proto::{
    from_timestamp,
    types::v1::PaymentStatus,
    wallet::v1::{CaseKind, OperationKind, TopUpRequest},
};
use serde_json::json;
use testkit::eventually;

use crate::{
    boost::boost,
    operations::of_payment,
    world::{Player, World, english},
};

impl World {
    /// Tops a player's wallet up by card.
    async fn give_by_card(&self, player: &Player, shillings: i32) -> String {
        let id = self.card(player, shillings).await.payment_id;
        self.paystack.pay(&id);
        self.event(&self.paystack.charge(&id)).await.unwrap();
        self.until(player, &id, PaymentStatus::Completed).await;
        id
    }

    /// Returns the text of a withdrawal that an operator looks at first.
    async fn held_text(&self, player: &Player, id: &str) -> String {
        self.until_outbox_empty().await;
        let payment = self.payment(player, id).await.unwrap();
        assert_eq!(payment.status(), PaymentStatus::Pending);
        let decided_within = Duration::from_hours(4);
        let now = self.base.clock.now();
        let held_until = from_timestamp(payment.held_until, "held_until").unwrap();
        assert!(held_until > now && held_until <= now + decided_within, "{held_until}");
        let text = english(payment.text.as_ref());
        assert!(text.ends_with("Your money is safe."), "{text}");
        text
    }

    /// Has two operators release a withdrawal that is held.
    async fn release_held(&self, id: &str) {
        let request = of_payment(OperationKind::Release, id, id);
        let waiting = self.ask("wanjiru", request).await.unwrap();
        self.decide("otieno", &waiting.id, true).await.unwrap();
    }

    /// Returns why an operator looks at the only withdrawal that is held.
    async fn remark(&self) -> String {
        let cases = self.cases(CaseKind::Held).await;
        let [case] = &cases[..] else { panic!("one case: {cases:?}") };
        case.detail.clone()
    }
}

#[tokio::test]
async fn a_stolen_cards_money_does_not_leave_behind_a_small_withdrawal() {
    let world = World::new().await;
    let player = world.player();
    world.give_by_card(&player, 250_000).await;
    let small = world.withdraw(&player, 10).await;
    world.until(&player, &small, PaymentStatus::Completed).await;

    let large = world.withdraw(&player, 249_900).await;
    let text = world.held_text(&player, &large).await;
    assert!(
        text.starts_with(
            "We look at withdrawals that take more than KES 1,000.00 together of what came by card \
             or from friends in the last 7 days. You will hear by "
        ),
        "{text}"
    );
    assert_eq!(
        world.remark().await,
        "a withdrawal that waits for approve or release: it takes money of the last week from \
         cards or friends"
    );
    assert_eq!(world.payouts_sent().await, 1);

    // After a week the same money is not fresh any more.
    world.release_held(&large).await;
    world.wait(Duration::from_hours(7 * 24 + 1)).await;
    let player = world.renewed(&player);
    let later = world.withdraw(&player, 90_000).await;
    world.until(&player, &later, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn card_money_does_not_leave_through_a_friend() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give_by_card(&payer, 50_000).await;
    let to_friend = boost(&world, &friend.id.to_string(), 50_000, "boost").await;
    world.send(&payer, to_friend).await.unwrap();
    let id = world.withdraw(&friend, 10_000).await;
    let text = world.held_text(&friend, &id).await;
    assert!(text.contains("came by card or from friends"), "{text}");

    // The payer's wallet is empty of it: what comes by M-Pesa now leaves at once.
    world.give(&payer, 2_000).await;
    let own = world.withdraw_to(&payer, "0722 345 678", 1_500).await.unwrap();
    world.until(&payer, &own, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn what_was_spent_before_does_not_wash_card_money_that_comes_later() {
    let world = World::new().await;
    let (player, friend) = (world.player(), world.player());
    world.give(&player, 15_000).await;
    let boost = boost(&world, &friend.id.to_string(), 15_000, "before").await;
    world.send(&player, boost).await.unwrap();
    world.give_by_card(&player, 15_000).await;
    let id = world.withdraw(&player, 15_000 - 11).await;
    let text = world.held_text(&player, &id).await;
    assert!(text.contains("came by card or from friends"), "{text}");
    world.finish().await;
}

#[tokio::test]
async fn a_boost_by_card_is_fresh_money_of_the_friend() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    let beneficiary_id = Some(friend.id.to_string());
    let request = TopUpRequest { beneficiary_id, ..world.card_request(5_000, "boost").await };
    let id = world.send(&payer, request).await.unwrap().payment_id;
    world.paystack.pay(&id);
    world.event(&world.paystack.charge(&id)).await.unwrap();
    world.until(&payer, &id, PaymentStatus::Completed).await;
    let id = world.withdraw(&friend, 2_000).await;
    world.held_text(&friend, &id).await;
    world.finish().await;
}

#[tokio::test]
async fn what_an_operator_approved_does_not_hold_the_next_withdrawal() {
    let world = World::new().await;
    let player = world.player();
    world.give_by_card(&player, 9_000).await;
    world.give(&player, 2_000).await;
    let held = world.withdraw(&player, 8_000).await;
    world.held_text(&player, &held).await;
    world.ask("wanjiru", of_payment(OperationKind::Approve, &held, "a")).await.unwrap();
    world.until(&player, &held, PaymentStatus::Completed).await;

    // KES 1,000 more of the card may leave, and no more without another look.
    let small = world.withdraw(&player, 900).await;
    world.until(&player, &small, PaymentStatus::Completed).await;
    let more = world.withdraw(&player, 200).await;
    world.held_text(&player, &more).await;
    world.finish().await;
}

#[tokio::test]
async fn of_five_first_withdrawals_at_once_those_above_the_sum_are_held() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 150_000).await;
    world.phone(json!({"b2c": "silent"})).await;
    let ids = join_all((0..5).map(|_| world.withdraw(&player, 20_000))).await;
    let payments = join_all(ids.iter().map(|id| world.payment(&player, id))).await;
    let texts: Vec<_> =
        payments.into_iter().map(|payment| english(payment.unwrap().text.as_ref())).collect();
    let held = texts
        .iter()
        .filter(|text| text.starts_with("We look at first withdrawals above KES 20,000"));
    assert_eq!(held.count(), 4, "{texts:?}");
    assert_eq!(world.cases(CaseKind::Held).await.len(), 4);
    world.finish().await;
}

#[tokio::test]
async fn a_player_of_long_ago_is_asked_about_a_day_and_a_week() {
    let world = World::new().await;
    let player = world.player();
    world.award_two_million(&player).await;
    let first = world.withdraw(&player, 10).await;
    world.until(&player, &first, PaymentStatus::Completed).await;
    let mut player = player;
    for (days, shillings, rule) in [
        (8, 100_001, Some("above KES 100,000.00 together in 24 hours")),
        (0, 100_000, None),
        (2, 100_000, None),
        (2, 50_001, Some("above KES 250,000.00 together in 7 days")),
    ] {
        world.wait(Duration::from_hours(24 * days)).await;
        player = world.renewed(&player);
        let id = world.withdraw(&player, shillings).await;
        let Some(rule) = rule else {
            world.until(&player, &id, PaymentStatus::Completed).await;
            continue;
        };
        let text = world.held_text(&player, &id).await;
        assert!(text.contains(rule), "{text}");
        // Given back, the withdrawal counts in no sum.
        world.release_held(&id).await;
    }
    world.finish().await;
}

#[tokio::test]
async fn nothing_leaves_unseen_while_a_cards_owner_disputes_a_payment() {
    let world = World::new().await;
    let player = world.player();
    let by_card = world.give_by_card(&player, 100).await;
    world.give(&player, 1_000).await;
    let dispute = json!({"event": "charge.dispute.create", "data": {
        "id": 358_950, "refund_amount": 10_000, "currency": "KES", "resolution": null,
        "transaction": {"id": 1, "reference": by_card},
    }});
    world.event(&dispute).await.unwrap();
    world.until_outbox_empty().await;
    let id = world.withdraw(&player, 200).await;
    let text = world.held_text(&player, &id).await;
    assert!(text.starts_with("The owner of a card asks about a payment to your wallet"), "{text}");

    // A lost dispute holds withdrawals until an operator has taken the money out of the wallet.
    let lost = json!({"event": "charge.dispute.resolve", "data": {
        "id": 358_950, "refund_amount": 10_000, "currency": "KES",
        "resolution": "merchant-accepted", "transaction": {"id": 1, "reference": by_card},
    }});
    world.event(&lost).await.unwrap();
    world.until_outbox_empty().await;
    let id = world.withdraw(&player, 20).await;
    world.held_text(&player, &id).await;
    let [case] = &world.cases(CaseKind::Disputed).await[..] else { panic!("one lost dispute") };
    assert_eq!(case.detail, "a lost dispute: refund takes it out of the wallet");
    let refund = of_payment(OperationKind::Refund, &by_card, "refund");
    world.ask("wanjiru", refund).await.unwrap();
    assert!(world.cases(CaseKind::Disputed).await.is_empty());
    let id = world.withdraw(&player, 20).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn a_player_whose_answer_is_overdue_is_an_alarm() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let mut world = World::new().await;
    let player = world.player();
    world.give(&player, 50_000).await;
    let id = world.withdraw(&player, 20_001).await;
    let text = world.held_text(&player, &id).await;
    assert!(text.contains("You will hear by 16:00 on 20/11."), "{text}");
    assert!(figures.render().contains("money_overdue_reviews 0\n"), "{}", figures.render());
    world.stop_wallet().await;
    world.wait(Duration::from_hours(5)).await;
    // The figures are read when the service starts.
    world.start_wallet().await;
    eventually("a review that is overdue", || async {
        figures.render().contains("money_overdue_reviews 1\n").then_some(())
    })
    .await;
    world.finish().await;
}
