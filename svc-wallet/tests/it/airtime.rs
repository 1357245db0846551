//! The Bronze package by airtime.

use std::time::Duration;

use futures_util::future::join_all;
use proto::{
    chat::v1::NotificationKind,
    types::v1::PaymentStatus,
    wallet::v1::{OperationKind, Payment, Provider, SubscribeRequest},
};
use serde_json::{Value, json};
use testkit::eventually;
use tonic::{Code, Status};
use types::Money;

use crate::{
    carrier::{Charges, SECRET, notification},
    operations::{of_payment, refused},
    world::{Player, World, english, reason},
};

impl World {
    async fn airtime(&self, player: &Player, key: &str) -> Result<Payment, Status> {
        self.subscribe(player, "SAFARICOM_CREDIT", "bronze", key).await
    }

    async fn notice(&self, body: &Value) -> Result<(), Status> {
        let body = body.to_string().into_bytes();
        self.receive(Provider::Airtime, (SECRET, ""), body).await
    }

    async fn request_id(&self) -> String {
        eventually("the charge", || async {
            let request_id = self.carrier.calls("charge").first()?["requestId"].clone();
            Some(request_id.as_str().unwrap().to_owned())
        })
        .await
    }

    async fn holds_bronze(&self, player: &Player) -> usize {
        self.subscriptions(player).await.len()
    }
}

#[tokio::test]
async fn airtime_pays_for_bronze_and_the_consent_is_kept() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    let payment = world.airtime(&player, "my-consent").await.unwrap();
    assert_eq!(english(payment.text.as_ref()), "Safaricom is charging your airtime.");
    let payment = world.until(&player, &payment.payment_id, PaymentStatus::Completed).await;
    assert_eq!(
        english(payment.text.as_ref()),
        "Your subscription request has been processed successfully for kes 10/day."
    );
    assert_eq!(world.holds_bronze(&player).await, 1);
    assert_eq!(world.house("CARRIER_RECEIVABLE").await, -1000);
    assert_eq!(world.house("SUBSCRIPTION_REVENUE").await, 1000);
    assert_eq!(world.balance(&player).await, Money::ZERO, "airtime is never money in the wallet");
    let receipt: Option<String> = sqlx::query_scalar("SELECT receipt FROM airtime_charge")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    let line = &world.history(&player).await[0];
    assert!(receipt.is_some());
    assert_eq!(line.payment.as_ref().unwrap().receipt, receipt, "the carrier's id of the charge");

    let [charge] = &world.carrier.calls("charge")[..] else { panic!("one charge") };
    let data = charge["requestParam"]["data"].as_array().unwrap();
    let value = |name: &str| {
        data.iter().find(|item| item["name"] == name).map(|item| item["value"].clone()).unwrap()
    };
    assert_eq!((value("ChargeAmount"), value("Msisdn")), (json!("10"), json!("254712345678")));

    let consent: (String, String, i64, String) = sqlx::query_as(
        "SELECT consent_version, consent_player::text, consent_cents, msisdn FROM airtime_charge",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!(consent, ("2026-11".into(), player.id.to_string(), 1000, "254712345678".into()));
    world.finish().await;
}

#[tokio::test]
async fn airtime_is_refused_for_every_other_package_and_payment() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    for package in ["silver", "gold", "platinum"] {
        let refused = world.subscribe(&player, "SAFARICOM_CREDIT", package, package).await;
        assert_eq!(reason(&refused.unwrap_err()), "AIRTIME_BRONZE_ONLY", "{package}");
    }
    let mut top_up = world.request(100, "a-top-up").await;
    top_up.payment_method_id = world.method("SAFARICOM_CREDIT").await;
    let refused = world.send(&player, top_up).await.unwrap_err();
    assert_eq!(reason(&refused), "METHOD_NOT_ALLOWED");
    // The number belongs to another network.
    let order = world.order("SAFARICOM_CREDIT", "bronze", "airtel").await;
    let airtel = SubscribeRequest { mpesa_phone_number: Some("0733000000".into()), ..order };
    let refused = world.subscribe_with(&player, airtel).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_PHONE");
    assert!(world.carrier.calls("charge").is_empty());
    world.finish().await;
}

#[tokio::test]
async fn without_a_number_the_phone_of_the_profile_is_charged() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    let order = world.order("SAFARICOM_CREDIT", "bronze", "one").await;
    let empty = SubscribeRequest { mpesa_phone_number: Some(" ".into()), ..order.clone() };
    let refused = world.subscribe_with(&player, empty).await.unwrap_err();
    assert_eq!(reason(&refused), "PHONE_NEEDED");
    let order = SubscribeRequest { mpesa_phone_number: None, ..order };
    let refused = world.subscribe_with(&player, order.clone()).await.unwrap_err();
    assert_eq!(reason(&refused), "PHONE_NEEDED");
    world.directory.set_phone("+254712345678");
    let id = world.subscribe_with(&player, order).await.unwrap().payment_id;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.carrier.calls("charge").len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn too_little_airtime_is_said_and_no_package_starts() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.carrier.set(Charges::TooLittle);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("do not have enough airtime"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.holds_bronze(&player).await, 0);
    world.finish().await;
}

#[tokio::test]
async fn an_accepted_charge_is_settled_by_its_notification_once() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.carrier.set(Charges::Accept);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let charged = notification(&world.request_id().await, "0000", "Success", 10);
    world.notice(&charged).await.unwrap();
    world.notice(&charged).await.unwrap();
    // The carrier sends the same notification again under another id of its own.
    let mut again = charged.clone();
    again["requestId"] = json!("another");
    world.notice(&again).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.until_outbox_empty().await;
    assert_eq!(world.holds_bronze(&player).await, 1);
    assert_eq!(world.outcomes().await, ["applied", "applied"]);
    assert_eq!(world.house("CARRIER_RECEIVABLE").await, -1000);
    world.finish().await;
}

#[tokio::test]
async fn a_charge_whose_reply_was_lost_is_never_sent_again() {
    let world = World::new().await;
    world.offer_all().await;
    let mut player = world.player();
    world.carrier.set(Charges::LoseReply);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    let request_id = world.request_id().await;
    world.until_outbox_empty().await;
    world.wait(Duration::from_secs(200)).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("your package will still start"),
        "{}",
        english(payment.text.as_ref())
    );
    // A day later no notification has come: the charge is counted, and still not sent again.
    world.wait_signed_in(&mut player, Duration::from_hours(25)).await;
    eventually("it is given up", || async {
        let due: bool = sqlx::query_scalar("SELECT query_due_at IS NOT NULL FROM airtime_charge")
            .fetch_one(&world.pool)
            .await
            .unwrap();
        (!due).then_some(())
    })
    .await;
    assert_eq!(world.carrier.calls("charge").len(), 1);
    // The notification comes late.
    world.notice(&notification(&request_id, "0000", "Success", 10)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.holds_bronze(&player).await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_charge_is_not_sent_again_after_a_crash() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.carrier.set(Charges::Accept);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // Simulate a crash between sending the charge and storing the reply.
    sqlx::query("UPDATE payment SET state = 'SUBMITTING'").execute(&world.pool).await.unwrap();
    sqlx::query(
        "INSERT INTO outbox (id, topic, payload, due_at, created_at)
         VALUES (gen_random_uuid(), 'airtime.charge', jsonb_build_object('payment', $1::text),
                 '2026-01-01', '2026-01-01')",
    )
    .bind(&id)
    .execute(&world.pool)
    .await
    .unwrap();
    world.until_outbox_empty().await;
    assert_eq!(world.carrier.calls("charge").len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_carrier_out_of_reach_is_said_and_charges_nothing() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.carrier.set(Charges::NoToken);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    world.until_put_off().await;
    world.wait(Duration::from_secs(16)).await;
    let payment = world.until(&player, &id, PaymentStatus::Error).await;
    assert!(
        english(payment.text.as_ref()).contains("could not reach Safaricom"),
        "{}",
        english(payment.text.as_ref())
    );
    assert!(world.carrier.calls("charge").is_empty());
    world.finish().await;
}

#[tokio::test]
async fn a_request_that_is_sent_twenty_times_at_once_charges_once() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    let replies = join_all((0..20).map(|_| world.airtime(&player, "the-same"))).await;
    let ids: std::collections::HashSet<_> =
        replies.into_iter().map(|reply| reply.unwrap().payment_id).collect();
    assert_eq!(ids.len(), 1);
    for id in ids {
        world.until(&player, &id, PaymentStatus::Completed).await;
    }
    assert_eq!(world.carrier.calls("charge").len(), 1);
    assert_eq!(world.holds_bronze(&player).await, 1);
    world.finish().await;
}

#[tokio::test]
async fn doubtful_notifications_start_no_package() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.carrier.set(Charges::Accept);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let request_id = world.request_id().await;
    let charged = notification(&request_id, "0000", "Success", 10);
    let body = charged.to_string().into_bytes();
    let wrong = "f".repeat(32);
    let refused = world.receive(Provider::Airtime, (&wrong, ""), body).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound);
    let mut of_another_phone = charged.clone();
    of_another_phone["requestParam"]["data"][1]["value"] = json!("254722000000");
    for (body, outcome) in [
        (notification(&"0".repeat(32), "0000", "Success", 10), "unknown charge"),
        (of_another_phone, "another phone"),
        (notification(&request_id, "4242", "Something else", 10), "unknown result code"),
        (json!({"hello": "there"}), "unreadable"),
    ] {
        world.notice(&body).await.unwrap();
        world.until_outbox_empty().await;
        assert!(world.outcomes().await.contains(&outcome.to_owned()), "{outcome}");
    }
    assert_eq!(world.holds_bronze(&player).await, 0);
    // Another amount is set aside.
    world.notice(&notification(&request_id, "0000", "Success", 5)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Error).await;
    assert_eq!(world.house("SUSPENSE").await, 500);
    assert_eq!(world.holds_bronze(&player).await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_charge_has_at_most_twenty_notifications_and_so_has_what_is_of_no_charge() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.carrier.set(Charges::Accept);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let request_id = world.request_id().await;
    let pending = |request: &str, number: u32| {
        let mut notice = notification(request, "4242", "Something else", 10);
        notice["requestId"] = json!(format!("notice-{number}"));
        notice
    };
    let mut taken = [0; 2];
    for number in 0..22 {
        let of_none = if number % 2 == 0 {
            json!({"number": number})
        } else {
            pending(&format!("{number:032}"), number)
        };
        for (count, notice) in taken.iter_mut().zip([pending(&request_id, number), of_none]) {
            *count += u32::from(world.notice(&notice).await.is_ok());
        }
    }
    assert_eq!(taken, [20, 20]);
    world.until_outbox_empty().await;
    assert_eq!(world.outcomes().await.len(), 40);
    assert!(world.inspected(&id).await.contains("callback: AIRTIME, unknown result code"));
    world.finish().await;
}

#[tokio::test]
async fn a_package_that_airtime_paid_for_is_given_back_by_the_carrier_and_not_to_the_wallet() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    world.until(&player, &id, PaymentStatus::Completed).await;
    let refund = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "a")).await.unwrap();
    assert!(refund.remark.contains("in the provider's portal"), "{}", refund.remark);
    let days: i64 =
        sqlx::query_scalar("SELECT count(*) FROM subscription_day WHERE revoked_at IS NULL")
            .fetch_one(&world.pool)
            .await
            .unwrap();
    assert_eq!(days, 0, "the package has ended");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    for account in ["CARRIER_RECEIVABLE", "SUBSCRIPTION_REVENUE"] {
        assert_eq!(world.house(account).await, 0, "{account}");
    }
    world.ask("otieno", of_payment(OperationKind::Refund, &id, "b")).await.unwrap_err();
    world.until_outbox_empty().await;
    let returned = NotificationKind::MoneyReturned;
    assert!(world.notifications.stored().iter().all(|sent| sent.kind() != returned));
    world.finish().await;
}

#[tokio::test]
async fn airtime_in_suspense_is_never_credited_to_a_wallet() {
    let world = World::new().await;
    world.offer_all().await;
    let player = world.player();
    world.carrier.set(Charges::Accept);
    let id = world.airtime(&player, "one").await.unwrap().payment_id;
    let request_id = world.request_id().await;
    world.notice(&notification(&request_id, "0000", "Success", 5)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Error).await;
    let credit = world.ask("wanjiru", of_payment(OperationKind::Credit, &id, "a")).await;
    assert_eq!(refused(&credit.unwrap_err()).2.as_deref(), Some("payment_id"));
    let refund = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "b")).await.unwrap();
    assert!(refund.remark.contains("in the provider's portal"), "{}", refund.remark);
    assert_eq!(world.house("SUSPENSE").await, 0);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}
