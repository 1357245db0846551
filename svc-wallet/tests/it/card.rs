//! Payments by card, for each action of the payer on the page.

use std::{collections::HashSet, time::Duration};

use futures_util::future::join_all;
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{Direction, Payment, TopUpRequest},
};
use serde_json::json;
use types::Money;

use crate::{
    paystack::Fault,
    world::{Player, World, english, reason},
};

impl World {
    pub(crate) async fn card_request(&self, shillings: i32, request_id: &str) -> TopUpRequest {
        TopUpRequest {
            payment_method_id: self.method("CARD").await,
            mpesa_phone_number: None,
            ..self.request(shillings, request_id).await
        }
    }

    /// Starts a top-up by card; the page is open.
    pub(crate) async fn card(&self, player: &Player, shillings: i32) -> Payment {
        let request_id = self.base.rng.uuid_v7(self.base.clock.now());
        let request = self.card_request(shillings, &request_id.to_string()).await;
        self.send(player, request).await.unwrap()
    }
}

#[tokio::test]
async fn a_card_payment_that_is_finished_on_the_page_is_credited_by_a_verification() {
    let world = World::new().await;
    let player = world.player();
    let payment = world.card(&player, 100).await;
    assert_eq!(payment.status(), PaymentStatus::InProgress);
    assert_eq!(english(payment.text.as_ref()), "Finish paying on the card page.");
    let id = payment.payment_id;
    let page = format!("https://checkout.paystack.example/{id}");
    assert_eq!(payment.tx_gw_session_url.as_deref(), Some(&*page));
    let [asked] = &world.paystack.initialized()[..] else { panic!("one initialisation") };
    assert_eq!((&asked["amount"], &asked["currency"]), (&json!(10_000), &json!("KES")));
    assert_eq!(asked["channels"], json!(["card"]));
    assert_eq!(asked["callback_url"], json!(format!("http://127.0.0.1:8080/waiting?payment={id}")));
    assert!(asked["email"].as_str().unwrap().ends_with("@players.example"), "{asked}");

    world.paystack.pay(&id);
    // No event comes: the schedule verifies it after a minute.
    world.wait_until_age(61).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    let [line] = &world.history(&player).await[..] else { panic!("one line") };
    assert_eq!(line.direction(), Direction::Credit);
    testkit::eventually("the fees", || async {
        (world.house("PROVIDER_FEE").await == -290).then_some(())
    })
    .await;
    assert_eq!(world.house("CARD_RECEIVABLE").await, -10_000 + 290);
    world.finish().await;
}

#[tokio::test]
async fn a_player_who_comes_back_from_the_page_does_not_wait_for_the_schedule() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.wait_until_age(11).await;
    // Each read of the payment requests a verification; several reads cause only one.
    for _ in 0..5 {
        world.payment(&player, &id).await.unwrap();
    }
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.paystack.verified(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_request_that_is_sent_twenty_times_at_once_opens_one_page() {
    let world = World::new().await;
    let player = world.player();
    let request = world.card_request(100, "the-same").await;
    let replies = join_all((0..20).map(|_| world.send(&player, request.clone()))).await;
    let pages: HashSet<_> = replies
        .into_iter()
        .map(|reply| reply.unwrap())
        .map(|payment| (payment.payment_id, payment.tx_gw_session_url.expect("a page")))
        .collect();
    assert_eq!(pages.len(), 1);
    assert_eq!(world.paystack.initialized().len(), 1);
    let (id, page) = pages.into_iter().next().unwrap();
    let again = world.send(&player, request).await.unwrap();
    assert_eq!((again.payment_id, again.tx_gw_session_url), (id, Some(page)));
    let other = world.card_request(200, "the-same").await;
    let refused = world.send(&player, other).await.unwrap_err();
    assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    world.finish().await;
}

#[tokio::test]
async fn a_page_whose_address_was_lost_is_replaced_under_another_reference() {
    let world = World::new().await;
    let player = world.player();
    world.paystack.fault("initialize", &[Fault::LostReply]);
    let payment = world.card(&player, 100).await;
    let id = payment.payment_id;
    let page = format!("https://checkout.paystack.example/{id}-2");
    assert_eq!(payment.tx_gw_session_url.as_deref(), Some(&*page));
    world.paystack.pay(&format!("{id}-2"));
    world.wait_until_age(61).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_repeated_request_opens_the_page_that_a_crash_left_closed() {
    let world = World::new().await;
    let player = world.player();
    let request = world.card_request(100, "the-same").await;
    let first = world.send(&player, request.clone()).await.unwrap();
    // Simulate a crash between Paystack's reply and its commit.
    sqlx::query("UPDATE payment SET state = 'SUBMITTING'").execute(&world.pool).await.unwrap();
    sqlx::query("UPDATE card_payment SET page_url = NULL").execute(&world.pool).await.unwrap();
    let again = world.send(&player, request).await.unwrap();
    assert_eq!(again.payment_id, first.payment_id);
    let page = format!("https://checkout.paystack.example/{}-2", first.payment_id);
    assert_eq!(again.tx_gw_session_url, Some(page));
    assert_eq!(again.status(), PaymentStatus::InProgress);
    world.finish().await;
}

#[tokio::test]
async fn a_payment_whose_page_cannot_be_opened_fails_and_moves_nothing() {
    for (faults, words) in [
        (&[Fault::Down; 3][..], "We could not open the card page"),
        (&[Fault::Refuse][..], "choose another method"),
    ] {
        let world = World::new().await;
        let player = world.player();
        world.paystack.fault("initialize", faults);
        let payment = world.card(&player, 100).await;
        assert_eq!(payment.status(), PaymentStatus::Error);
        assert!(
            english(payment.text.as_ref()).contains(words),
            "{}",
            english(payment.text.as_ref())
        );
        assert_eq!(payment.tx_gw_session_url, None);
        assert_eq!(world.balance(&player).await, Money::ZERO);
        world.finish().await;
    }
}

#[tokio::test]
async fn another_amount_is_set_aside_and_never_credited() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.paystack.set(&id, &json!({"amount": 100}));
    world.wait_until_age(61).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("different amount"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.balance(&player).await, Money::ZERO);
    assert_eq!(world.house("SUSPENSE").await, 100);
    world.finish().await;
}

#[tokio::test]
async fn another_currency_domain_or_reference_is_never_credited() {
    for change in [
        json!({"currency": "USD"}),
        json!({"domain": "live"}),
        json!({"reference": "0193a4f0-0000-7000-8000-00000000beef"}),
    ] {
        let world = World::new().await;
        let player = world.player();
        let id = world.card(&player, 100).await.payment_id;
        world.paystack.pay(&id);
        world.paystack.set(&id, &change);
        world.wait_until_age(61).await;
        testkit::eventually("the mismatch is noted", || async {
            let noted: Option<String> = sqlx::query_scalar("SELECT mismatch FROM card_payment")
                .fetch_one(&world.pool)
                .await
                .unwrap();
            noted
        })
        .await;
        assert_eq!(world.balance(&player).await, Money::ZERO, "{change}");
        assert_eq!(world.house("SUSPENSE").await, 0, "{change}");
        let status = world.payment(&player, &id).await.unwrap().status();
        assert_eq!(status, PaymentStatus::InProgress, "{change}");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_page_that_is_left_open_expires_and_is_credited_when_it_is_paid_late() {
    let world = World::new().await;
    let mut player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    // A page that the payer has left is not a failure.
    world.wait_until_age(15 * 60 + 1).await;
    testkit::eventually("a verification", || async {
        (world.paystack.verified() > 0).then_some(())
    })
    .await;
    world.wait_signed_in(&mut player, Duration::ZERO).await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::InProgress);
    world.wait_until_age(30 * 60 + 16).await;
    world.wait_signed_in(&mut player, Duration::ZERO).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("not finished in time"),
        "{}",
        english(payment.text.as_ref())
    );
    world.paystack.pay(&id);
    world.wait_signed_in(&mut player, Duration::from_hours(2)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_declined_card_fails_the_payment_until_another_card_pays_on_the_same_page() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.set(&id, &json!({"status": "failed"}));
    world.wait_until_age(61).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("declined the card"),
        "{}",
        english(payment.text.as_ref())
    );
    world.paystack.pay(&id);
    world.wait_until_age(5 * 60 + 1).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_verification_that_has_no_reply_is_repeated_soon() {
    let world = World::new().await;
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.paystack.fault("verify", &[Fault::Down]);
    world.wait_until_age(61).await;
    testkit::eventually("a verification", || async {
        (world.paystack.verified() == 1).then_some(())
    })
    .await;
    // The next scheduled verification would be at five minutes.
    world.wait_until_age(75).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.finish().await;
}

#[tokio::test]
async fn a_boost_by_card_reaches_the_friend() {
    let world = World::new().await;
    let (player, friend) = (world.player(), world.player());
    let request = TopUpRequest {
        beneficiary_id: Some(friend.id.to_string()),
        ..world.card_request(100, "a-boost").await
    };
    let id = world.send(&player, request).await.unwrap().payment_id;
    world.paystack.pay(&id);
    world.wait_until_age(61).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    assert_eq!(world.balance(&friend).await, Money::from_shillings(100));
    world.finish().await;
}
