//! Buying packages.

use std::time::Duration;

use mesh::grpc::client::Outgoing;
use proto::{
    chat::v1::NotificationKind,
    timestamp,
    types::v1::PaymentStatus,
    wallet::v1::{
        ApplySubscriptionPackageRequest, DeleteWalletContentRequest, Direction, HeldPackage,
        ListHeldPackagesRequest, ListSubscriptionPackagesRequest, ListSubscriptionsRequest,
        Payment, PaymentType, PlayerAt, SubscribeRequest, Subscription, SubscriptionPackage,
        SubscriptionPackageManifest, Tier, TransactionDesc, WalletContentKind,
        entitlement_service_client::EntitlementServiceClient,
        subscription_service_client::SubscriptionServiceClient,
        wallet_admin_service_client::WalletAdminServiceClient,
    },
};
use serde_json::json;
use testkit::{BEGINNING, eventually};
use time::OffsetDateTime;
use tonic::{Code, Status};
use types::Money;

use crate::world::{PHONE, Player, World, bearing, english, reason};

const HOUR: Duration = Duration::from_hours(1);

/// Returns the id of a package by its key.
pub(crate) fn package_id(key: &str) -> String {
    types::content_id("SubscriptionPackage", key).to_string()
}

impl World {
    /// Sets the price of a package.
    pub(crate) async fn offer(&self, key: &str, name: &str, shillings: i32) {
        let package = SubscriptionPackageManifest {
            key: key.to_owned(),
            name: name.to_owned(),
            description: format!("{name} for a day."),
            amount: Some(Money::from_shillings(shillings).into()),
            ..SubscriptionPackageManifest::default()
        };
        let request = ApplySubscriptionPackageRequest { package: Some(package), dry_run: false };
        let mut admin = WalletAdminServiceClient::new(self.connect("playonctl"));
        admin.apply_subscription_package(request).await.unwrap();
    }

    pub(crate) async fn offer_all(&self) {
        for (key, name, shillings) in
            [("gold", "Gold", 50), ("bronze", "Bronze", 10), ("platinum", "Platinum", 100)]
        {
            self.offer(key, name, shillings).await;
        }
        self.offer("silver", "Silver", 20).await;
    }

    fn subscriptions_client(&self) -> SubscriptionServiceClient<Outgoing> {
        SubscriptionServiceClient::new(self.connect("gateway"))
    }

    pub(crate) async fn packages(&self) -> Vec<SubscriptionPackage> {
        let request = ListSubscriptionPackagesRequest {};
        let reply = self.subscriptions_client().list_subscription_packages(request).await;
        reply.unwrap().into_inner().packages
    }

    pub(crate) async fn subscriptions(&self, player: &Player) -> Vec<Subscription> {
        let request = bearing(&player.token, ListSubscriptionsRequest {});
        let reply = self.subscriptions_client().list_subscriptions(request).await;
        reply.unwrap().into_inner().subscriptions
    }

    pub(crate) async fn subscribe_with(
        &self,
        player: &Player,
        request: SubscribeRequest,
    ) -> Result<Payment, Status> {
        let request = bearing(&player.token, request);
        let reply = self.subscriptions_client().subscribe(request).await?;
        Ok(reply.into_inner().payment.unwrap())
    }

    pub(crate) async fn order(&self, method: &str, package: &str, key: &str) -> SubscribeRequest {
        SubscribeRequest {
            request_id: key.to_owned(),
            payment_method_id: self.method(method).await,
            subscription_package_id: package_id(package),
            mpesa_phone_number: (method != "WALLET").then(|| "0712 345 678".to_owned()),
        }
    }

    pub(crate) async fn subscribe(
        &self,
        player: &Player,
        method: &str,
        package: &str,
        key: &str,
    ) -> Result<Payment, Status> {
        self.subscribe_with(player, self.order(method, package, key).await).await
    }

    async fn held(
        &self,
        players: &[&Player],
        at: OffsetDateTime,
    ) -> Result<Vec<HeldPackage>, Status> {
        let at = Some(timestamp(at));
        let players =
            players.iter().map(|player| PlayerAt { player_id: player.id.to_string(), at });
        let request = ListHeldPackagesRequest {
            players: players.collect(),
            ..ListHeldPackagesRequest::default()
        };
        let mut client = EntitlementServiceClient::new(self.connect("svc-tournament"));
        Ok(client.list_held_packages(request).await?.into_inner().held)
    }

    /// Advances the clock, and signs the player in again.
    pub(crate) async fn wait_signed_in(&self, player: &mut Player, by: Duration) {
        self.wait(by).await;
        player.token = self.tokens.token(player.id);
    }

    /// Returns the player's terms: the package's name, and begin and end in hours after the test's
    /// beginning.
    async fn terms(&self, player: &Player) -> Vec<(String, i64, i64)> {
        let hours = |at: Option<_>| {
            let at = proto::from_timestamp(at, "at").unwrap();
            (at - BEGINNING).whole_hours()
        };
        let listed = self.subscriptions(player).await.into_iter();
        listed.map(|one| (one.package_name, hours(one.starts_at), hours(one.expires_at))).collect()
    }
}

fn term(name: &str, from: i64, to: i64) -> (String, i64, i64) {
    (name.to_owned(), from, to)
}

#[tokio::test]
async fn packages_are_listed_from_the_cheapest() {
    let world = World::new().await;
    assert!(world.packages().await.is_empty());
    world.offer_all().await;
    let packages = world.packages().await;
    let listed: Vec<_> = packages.iter().map(|one| (one.name.as_str(), one.popular)).collect();
    assert_eq!(listed, [("Bronze", false), ("Silver", true), ("Gold", false), ("Platinum", false)]);
    assert_eq!(packages[2].id, package_id("gold"));
    assert_eq!(packages[2].tier(), Tier::Gold);
    assert_eq!(packages[2].description, "Gold for a day.");
    assert_eq!(packages[2].amount, Some(Money::from_shillings(50).into()));
    world.finish().await;
}

#[tokio::test]
async fn a_package_from_the_wallet_runs_before_the_reply() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.give(&player, 100).await;
    world.until_outbox_empty().await;

    let payment = world.subscribe(&player, "WALLET", "gold", "one").await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Completed);
    assert_eq!(payment.r#type(), PaymentType::Subscription);
    assert_eq!(
        english(payment.text.as_ref()),
        "Your subscription request has been processed successfully for kes 50/day."
    );
    assert_eq!(world.balance(&player).await, Money::from_shillings(50));
    let subscriptions = world.subscriptions(&player).await;
    let [held] = subscriptions.as_slice() else { panic!("{subscriptions:?}") };
    assert_eq!((held.package_id.as_str(), held.expired), (package_id("gold").as_str(), false));
    assert_eq!(held.starts_at, Some(timestamp(BEGINNING)));
    assert_eq!(held.expires_at, Some(timestamp(BEGINNING + 24 * HOUR)));

    let line = world.history(&player).await.remove(0);
    assert_eq!(line.transaction_desc(), TransactionDesc::Subscription);
    assert_eq!(line.direction(), Direction::Debit);
    assert_eq!(line.detail.as_deref(), Some("Gold package"));
    assert_eq!(line.balance_after, Some(Money::from_shillings(50).into()));

    world.until_outbox_empty().await;
    let stored = world.notifications.stored();
    let started = stored.last().unwrap();
    assert_eq!(started.kind(), NotificationKind::SubscriptionStarted);
    assert_eq!(started.source, format!("payment/{}/subscribed", payment.payment_id));
    assert_eq!(started.params["package"], "Gold");
    assert_eq!(started.params["amount"], "KES 50.00");
    assert_eq!(stored.len(), 2, "the top-up, and the package");
    world.finish().await;
}

#[tokio::test]
async fn a_player_is_notified_once_an_hour_before_each_end_of_a_package() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.give(&player, 1_000).await;
    let notices = async |count: usize| {
        let found = eventually("the notices", async || {
            let stored = world.notifications.stored();
            let ending = stored.into_iter().filter(|new| {
                new.player_id == player.id.to_string()
                    && new.kind() == NotificationKind::SubscriptionEnding
            });
            let found: Vec<_> = ending.collect();
            (found.len() >= count).then_some(found)
        });
        let found = found.await;
        found.into_iter().map(|new| new.params["package"].clone()).collect::<Vec<_>>()
    };
    world.subscribe(&player, "WALLET", "bronze", "one").await.unwrap();
    world.base.clock.advance(HOUR / 2);
    world.subscribe(&world.renewed(&player), "WALLET", "silver", "two").await.unwrap();
    world.base.clock.advance(HOUR / 2 + 22 * HOUR);
    assert_eq!(notices(1).await, ["Bronze"], "Silver has an hour and a half left");

    // Another day moves the end, and the player is notified of the new end too.
    world.subscribe(&world.renewed(&player), "WALLET", "bronze", "three").await.unwrap();
    world.base.clock.advance(HOUR / 2);
    assert_eq!(notices(2).await, ["Bronze", "Silver"]);
    world.base.clock.advance(23 * HOUR + HOUR / 2);
    assert_eq!(notices(3).await, ["Bronze", "Silver", "Bronze"]);
    world.finish().await;
}

#[tokio::test]
async fn a_package_by_mpesa_runs_once_it_is_paid() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.phone(json!({"stk": "manual"})).await;
    let payment = world.subscribe(&player, "MPESA", "bronze", "one").await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Pending);
    world.until(&player, &payment.payment_id, PaymentStatus::InProgress).await;
    assert!(world.subscriptions(&player).await.is_empty());

    world.base.clock.advance(Duration::from_mins(1));
    world.enter_pin().await;
    world.until(&player, &payment.payment_id, PaymentStatus::Completed).await;
    let held = world.subscriptions(&player).await.remove(0);
    assert_eq!(held.starts_at, Some(timestamp(BEGINNING + Duration::from_mins(1))));
    assert_eq!(world.balance(&player).await, Money::ZERO, "the wallet did not move");
    world.finish().await;
}

#[tokio::test]
async fn a_prompt_that_is_cancelled_buys_nothing() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.phone(json!({"stk": "cancel"})).await;
    let payment = world.subscribe(&player, "MPESA", "bronze", "one").await.unwrap();
    world.until(&player, &payment.payment_id, PaymentStatus::Error).await;
    assert!(world.subscriptions(&player).await.is_empty());
    world.finish().await;
    assert_eq!(PHONE, "254712345678");
}

#[tokio::test]
async fn a_payment_that_expired_and_is_paid_after_all_buys_24_hours_from_then() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.phone(json!({"stk": "manual"})).await;
    let payment = world.subscribe(&player, "MPESA", "bronze", "one").await.unwrap();
    world.until(&player, &payment.payment_id, PaymentStatus::InProgress).await;
    world.wait_until_age(200).await;
    let expired = world.until(&player, &payment.payment_id, PaymentStatus::Error).await;
    assert!(
        english(expired.text.as_ref()).ends_with("your package will still start."),
        "{}",
        english(expired.text.as_ref())
    );
    world.enter_pin().await;
    world.until(&player, &payment.payment_id, PaymentStatus::Completed).await;
    let held = world.subscriptions(&player).await.remove(0);
    let settled = proto::from_timestamp(held.starts_at, "at").unwrap();
    assert!(settled >= BEGINNING + Duration::from_secs(200));
    assert_eq!(held.expires_at, Some(timestamp(settled + 24 * HOUR)));
    world.finish().await;
}

#[tokio::test]
async fn the_same_package_is_extended_and_others_run_beside_it() {
    let world = World::new().await;
    let mut player = world.player();
    world.offer_all().await;
    world.give(&player, 1_000).await;
    for (hours, package, key) in [(0, "gold", "a"), (1, "gold", "b"), (0, "bronze", "c")] {
        world.wait_signed_in(&mut player, hours * HOUR).await;
        world.subscribe(&player, "WALLET", package, key).await.unwrap();
    }
    assert_eq!(world.terms(&player).await, [term("Gold", 0, 48), term("Bronze", 1, 25)]);

    world.wait_signed_in(&mut player, 47 * HOUR).await;
    let listed = world.subscriptions(&player).await;
    assert_eq!(listed.iter().map(|one| one.expired).collect::<Vec<_>>(), [true, true]);
    world.subscribe(&player, "WALLET", "gold", "d").await.unwrap();
    assert_eq!(
        world.terms(&player).await,
        [term("Gold", 48, 72), term("Gold", 0, 48), term("Bronze", 1, 25)]
    );
    world.finish().await;
}

#[tokio::test]
async fn payments_that_are_settled_at_once_all_count() {
    let mut world = World::new().await;
    world.start_replica().await;
    let player = world.player();
    world.offer_all().await;
    world.give(&player, 1_000).await;
    let mut replica = SubscriptionServiceClient::new(world.connect_replica("gateway"));
    let mut orders = Vec::new();
    for index in 0..10 {
        orders.push(world.order("WALLET", "gold", &format!("gold-{index}")).await);
    }
    let here = orders[..5].iter().map(|order| world.subscribe_with(&player, order.clone()));
    let there = orders[5..].iter().map(|order| {
        let (mut replica, request) = (replica.clone(), bearing(&player.token, order.clone()));
        async move { replica.subscribe(request).await }
    });
    let (here, there) =
        tokio::join!(futures_util::future::join_all(here), futures_util::future::join_all(there));
    assert!(here.iter().all(Result::is_ok), "{here:?}");
    assert!(there.iter().all(Result::is_ok), "{there:?}");
    assert_eq!(world.terms(&player).await, [term("Gold", 0, 240)]);
    assert_eq!(world.balance(&player).await, Money::from_shillings(500));
    let again = replica.subscribe(bearing(&player.token, orders[0].clone())).await.unwrap();
    assert_eq!(
        again.into_inner().payment.unwrap().payment_id,
        here[0].as_ref().unwrap().payment_id
    );
    world.finish().await;
}

#[tokio::test]
async fn a_storm_of_one_request_buys_one_day_also_after_a_restart() {
    let mut world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.give(&player, 1_000).await;
    let order = world.order("WALLET", "silver", "storm").await;
    let sent = (0..20).map(|_| world.subscribe_with(&player, order.clone()));
    let first = futures_util::future::join_all(sent).await;
    let mut ids: Vec<String> = first.into_iter().map(|one| one.unwrap().payment_id).collect();
    world.stop_wallet().await;
    world.start_wallet().await;
    // A new price does not make it another request.
    world.offer("silver", "Silver", 30).await;
    let sent = (0..20).map(|_| world.subscribe_with(&player, order.clone()));
    let second = futures_util::future::join_all(sent).await;
    ids.extend(second.into_iter().map(|one| one.unwrap().payment_id));
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert_eq!(world.terms(&player).await, [term("Silver", 0, 24)]);
    assert_eq!(world.balance(&player).await, Money::from_shillings(980));

    for other in [
        world.order("WALLET", "gold", "storm").await,
        world.order("MPESA", "silver", "storm").await,
    ] {
        let refused = world.subscribe_with(&player, other).await.unwrap_err();
        assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    }
    // A key belongs to one kind of call.
    let top_up = world.request(20, "storm").await;
    assert_eq!(reason(&world.send(&player, top_up).await.unwrap_err()), "IDEMPOTENCY_KEY_REUSED");
    world.finish().await;
}

#[tokio::test]
async fn concurrent_subscriptions_cannot_spend_more_than_the_wallet_has() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.give(&player, 50).await;
    let tries = (0..10).map(|index| {
        let (world, player) = (&world, &player);
        async move { world.subscribe(player, "WALLET", "silver", &format!("try-{index}")).await }
    });
    let done = futures_util::future::join_all(tries).await;
    assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 2);
    let refused = done.into_iter().find_map(Result::err).unwrap();
    assert_eq!(reason(&refused), "INSUFFICIENT_FUNDS");
    assert_eq!(world.terms(&player).await, [term("Silver", 0, 48)]);
    assert_eq!(world.balance(&player).await, Money::from_shillings(10));
    world.finish().await;
}

#[tokio::test]
async fn refuses_unknown_packages_methods_that_are_not_offered_and_poor_wallets() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    let delete = DeleteWalletContentRequest {
        kind: WalletContentKind::SubscriptionPackage.into(),
        key: "silver".to_owned(),
        dry_run: false,
    };
    let mut admin = WalletAdminServiceClient::new(world.connect("playonctl"));
    admin.delete_wallet_content(delete).await.unwrap();

    for (method, package, expected) in [
        ("WALLET", "silver", "UNKNOWN_PACKAGE"),
        ("WALLET", "tin", "UNKNOWN_PACKAGE"),
        ("WALLET", "gold", "INSUFFICIENT_FUNDS"),
        ("PAYPAL", "gold", "METHOD_COMING_SOON"),
        ("SAFARICOM_CREDIT", "gold", "AIRTIME_BRONZE_ONLY"),
        ("SAFARICOM_CREDIT", "platinum", "AIRTIME_BRONZE_ONLY"),
    ] {
        let refused = world.subscribe(&player, method, package, "a-key").await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{method} {package}");
    }
    let order = world.order("MPESA", "gold", "a-key").await;
    for (request, expected) in [
        (
            SubscribeRequest { mpesa_phone_number: None, ..order.clone() },
            (Code::InvalidArgument, "INVALID_PHONE"),
        ),
        (
            SubscribeRequest { subscription_package_id: "gold".to_owned(), ..order.clone() },
            (Code::InvalidArgument, "INVALID_ARGUMENT"),
        ),
        (
            SubscribeRequest { payment_method_id: package_id("gold"), ..order.clone() },
            (Code::InvalidArgument, "UNKNOWN_METHOD"),
        ),
        (
            SubscribeRequest { request_id: String::new(), ..order },
            (Code::InvalidArgument, "INVALID_IDEMPOTENCY_KEY"),
        ),
    ] {
        let refused = world.subscribe_with(&player, request).await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused).as_str()), expected);
    }
    assert!(world.subscriptions(&player).await.is_empty());
    assert_eq!(world.prompts().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn what_a_player_held_at_a_time_is_the_best_package_of_that_time() {
    let world = World::new().await;
    let (mut rich, poor, none) = (world.player(), world.player(), world.player());
    world.offer_all().await;
    world.give(&rich, 1_000).await;
    world.give(&poor, 1_000).await;
    world.subscribe(&rich, "WALLET", "bronze", "a").await.unwrap();
    world.subscribe(&poor, "WALLET", "silver", "a").await.unwrap();
    world.wait_signed_in(&mut rich, HOUR).await;
    world.subscribe(&rich, "WALLET", "platinum", "b").await.unwrap();

    let at = async |offset: time::Duration| {
        let held = world.held(&[&rich, &poor, &none], BEGINNING + offset).await.unwrap();
        let tier = |player: &Player| {
            let found = held.iter().find(|one| one.player_id == player.id.to_string());
            found.map(HeldPackage::tier)
        };
        [&rich, &poor, &none].map(tier)
    };
    let hours = time::Duration::hours;
    let instant = time::Duration::microseconds(1);
    assert_eq!(at(-instant).await, [None, None, None]);
    assert_eq!(at(hours(0)).await, [Some(Tier::Bronze), Some(Tier::Silver), None]);
    assert_eq!(at(hours(1)).await, [Some(Tier::Platinum), Some(Tier::Silver), None]);
    assert_eq!(at(hours(24)).await, [Some(Tier::Platinum), None, None]);
    assert_eq!(at(hours(25) - instant).await, [Some(Tier::Platinum), None, None]);
    assert_eq!(at(hours(25)).await, [None, None, None]);

    // Each player is asked about at a time of their own.
    let asked = [(&rich, hours(0)), (&poor, hours(24))];
    let players = asked.map(|(player, offset)| PlayerAt {
        player_id: player.id.to_string(),
        at: Some(timestamp(BEGINNING + offset)),
    });
    let request =
        ListHeldPackagesRequest { players: players.into(), ..ListHeldPackagesRequest::default() };
    let mut client = EntitlementServiceClient::new(world.connect("svc-tournament"));
    let held = client.list_held_packages(request).await.unwrap().into_inner().held;
    let [held] = &held[..] else { panic!("{held:?}") };
    assert_eq!((&held.player_id, held.tier()), (&rich.id.to_string(), Tier::Bronze));

    // A svc-tournament of an earlier version asks about one time.
    let request = ListHeldPackagesRequest {
        player_ids: vec![rich.id.to_string()],
        at: Some(timestamp(BEGINNING)),
        players: Vec::new(),
    };
    let held = client.list_held_packages(request).await.unwrap().into_inner().held;
    assert_eq!(held[0].tier(), Tier::Bronze);

    let many: Vec<&Player> = std::iter::repeat_n(&none, 101).collect();
    for refused in [world.held(&many, BEGINNING).await, world.held(&[], BEGINNING).await] {
        assert_eq!(reason(&refused.unwrap_err()), "INVALID_ARGUMENT");
    }
    let request = ListHeldPackagesRequest::default();
    let mut gateway = EntitlementServiceClient::new(world.connect("gateway"));
    let refused = gateway.list_held_packages(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
    world.finish().await;
}
