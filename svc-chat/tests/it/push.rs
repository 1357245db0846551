//! Web Push, to the sandbox's push service.

use std::time::Duration;

use proto::chat::v1::{
    GetNotificationSettingsRequest, GetPushKeyRequest, MarkNotificationsReadRequest,
    NotificationSettings, NotificationTopic, QuietHours, RegisterPushSubscriptionRequest,
    RemovePushSubscriptionRequest, UpdateNotificationSettingsRequest,
};
use reqwest::Method;
use serde_json::{Value, json};
use tonic::{Code, Status};
use types::{PlayerId, SecretString};
use url::Url;

use crate::{
    harness::{Service, reason, signed},
    talk::text,
};

/// A key of this test alone.
const KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";

/// Writes an outbox row for each notification and browser.
const REPEAT: &str = "INSERT INTO outbox (topic, id, payload, due_at, created_at)
    SELECT 'push', gen_random_uuid(), jsonb_build_object(
        'notification', sent.id, 'subscription', own.id), now(), now()
    FROM notification AS sent, push_subscription AS own";

/// A service that pushes to a sandbox.
struct World {
    service: Service,
    sandbox: sandbox::Running,
    http: reqwest::Client,
}

/// A browser in the sandbox.
struct Browser {
    id: String,
    subscription: RegisterPushSubscriptionRequest,
}

impl World {
    async fn start() -> Self {
        // The service's clock is set by the test.
        let settings = sandbox::Settings { clock_skew_ms: None, ..sandbox::Settings::default() };
        let options = sandbox::Options { settings, ..sandbox::Options::default() };
        let sandbox = sandbox::start(options).await.unwrap();
        let url = format!("http://{}", sandbox.addr);
        let service = Service::start_args(|args| {
            args.push.vapid_private_key = Some(SecretString::from(KEY));
            args.push.push_sandbox_url = Some(Url::parse(&url).unwrap());
        })
        .await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { service, sandbox, http }
    }

    async fn control(&self, method: Method, path: &str, body: Value) -> Value {
        let url = format!("http://{}/control/push{path}", self.sandbox.addr);
        let reply = self.http.request(method, url).body(body.to_string()).send().await.unwrap();
        assert!(reply.status().is_success(), "{path}: {}", reply.status());
        serde_json::from_slice(&reply.bytes().await.unwrap()).unwrap()
    }

    /// A browser that subscribes with the service's key.
    async fn browser(&self) -> Browser {
        let key = self.service.pushes().get_push_key(GetPushKeyRequest {}).await.unwrap();
        let key = key.into_inner().public_key;
        let order = json!({ "applicationServerKey": key });
        let browser = self.control(Method::POST, "/browsers", order).await;
        let keys = &browser["subscription"]["keys"];
        Browser {
            id: browser["id"].as_str().unwrap().to_owned(),
            subscription: RegisterPushSubscriptionRequest {
                endpoint: browser["subscription"]["endpoint"].as_str().unwrap().to_owned(),
                p256dh: decode(&keys["p256dh"]),
                auth: decode(&keys["auth"]),
                language: "sw".into(),
            },
        }
    }

    async fn order(&self, browser: &Browser, answer: Value) {
        let path = format!("/browsers/{}", browser.id);
        self.control(Method::PUT, &path, json!({ "answer": answer })).await;
    }

    async fn attempts(&self, browser: &Browser) -> u64 {
        let path = format!("/browsers/{}", browser.id);
        self.control(Method::GET, &path, Value::Null).await["attempts"].as_u64().unwrap()
    }

    /// The messages that arrived at a browser, newest first.
    async fn pushed(&self, browser: &Browser) -> Vec<Value> {
        let all = self.control(Method::GET, "", Value::Null).await;
        let all = all.as_array().unwrap().iter();
        all.filter(|pushed| pushed["browser"] == browser.id).cloned().collect()
    }

    async fn register(&self, token: &str, browser: &Browser) -> Result<(), Status> {
        let request = signed(token, browser.subscription.clone());
        self.service.pushes().register_push_subscription(request).await.map(drop)
    }

    /// A player with a browser.
    async fn player(&self) -> (PlayerId, String, Browser) {
        let (player, token) = self.service.tokens.player();
        let browser = self.browser().await;
        self.register(&token, &browser).await.unwrap();
        (player, token, browser)
    }

    async fn credit(&self, player: PlayerId, source: &str) {
        self.service.notify(self.service.credited(player, source)).await.unwrap();
    }

    /// Waits until no delivery is left.
    async fn delivered(&self) {
        self.until(async || self.rows("SELECT count(*) FROM outbox").await == 0).await;
    }

    /// Waits until the only delivery was tried and has a next try, because its row cannot be made
    /// due before.
    async fn put_off(&self, browser: &Browser) {
        self.until(async || self.attempts(browser).await == 1).await;
        let waiting = "SELECT count(*) FROM outbox WHERE NOT leased AND due_at > now()";
        self.until(async || self.rows(waiting).await == 1).await;
    }

    async fn rows(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.service.database.pool).await.unwrap()
    }

    async fn until(&self, is_so: impl AsyncFn() -> bool) {
        for _ in 0..600 {
            if is_so().await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("not within 30 s");
    }

    async fn put(&self, token: &str, settings: NotificationSettings) -> Result<(), Status> {
        let request = UpdateNotificationSettingsRequest { settings: Some(settings) };
        let mut client = self.service.pushes();
        client.update_notification_settings(signed(token, request)).await.map(drop)
    }
}

fn decode(text: &Value) -> Vec<u8> {
    use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
    BASE64_URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn a_notification_is_pushed_once_to_each_browser_in_its_language() {
    let world = World::start().await;
    let (player, token, first) = world.player().await;
    let mut second = world.browser().await;
    second.subscription.language = "en".into();
    world.register(&token, &second).await.unwrap();
    world.credit(player, "payment/1").await;
    // The caller repeats the call.
    world.credit(player, "payment/1").await;
    world.delivered().await;

    let swahili = world.pushed(&first).await;
    assert_eq!(swahili.len(), 1);
    let message = &swahili[0]["message"];
    assert_eq!(message["title"], "Pesa ziko kwenye pochi");
    assert!(message["body"].as_str().unwrap().contains("KES 100.00"), "{message}");
    assert_eq!(message["url"], "/account/wallet");
    assert_eq!(message["kind"], "TOP_UP_COMPLETED");
    let inbox = world.service.newest(&token).await;
    assert_eq!(message["id"], inbox[0].id);
    let english = world.pushed(&second).await;
    assert_eq!(english.len(), 1);
    assert_eq!(english[0]["message"]["title"], "Money in your wallet");
}

#[tokio::test]
async fn a_mention_is_pushed_with_the_way_to_its_room_unless_mentions_are_muted() {
    let world = World::start().await;
    let service = &world.service;
    service.open_room("lobby").await;
    let (player, token, browser) = world.player().await;
    service.players.name(player, "amina");
    service.join(&token, "lobby").await.unwrap();
    let (sender, sender_token) = service.member("lobby").await;
    service.players.name(sender, "juma");

    service.send(&sender_token, text("lobby", "@amina, twende!", "m-1")).await.unwrap();
    world.delivered().await;
    let pushed = world.pushed(&browser).await;
    assert_eq!(pushed.len(), 1);
    let message = &pushed[0]["message"];
    assert_eq!(message["kind"], "MENTION");
    assert_eq!(message["title"], "Umetajwa kwenye gumzo");
    assert_eq!(message["body"], "juma katika lobby: @amina, twende!");
    assert_eq!(message["url"], "/chat-room/lobby");

    let muted = vec![NotificationTopic::Mentions.into()];
    world.put(&token, NotificationSettings { muted, quiet_hours: None }).await.unwrap();
    service.send(&sender_token, text("lobby", "@amina?", "m-2")).await.unwrap();
    world.delivered().await;
    assert_eq!(service.newest(&token).await.len(), 2);
    assert_eq!(world.pushed(&browser).await.len(), 1);
}

#[tokio::test]
async fn a_phone_whose_session_has_ended_shows_nothing_more() {
    let world = World::start().await;
    let (player, token, browser) = world.player().await;
    world.service.players.set_away(true);
    world.credit(player, "payment/1").await;
    world.until(async || world.service.players.refused() > 0).await;
    assert_eq!(world.attempts(&browser).await, 0, "not as long as svc-auth cannot say");

    world.service.players.sign_out();
    world.service.players.set_away(false);
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 0);
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription").await, 0);
    assert_eq!(world.service.newest(&token).await.len(), 1, "the inbox has it");
}

#[tokio::test]
async fn an_ended_subscription_is_dropped() {
    let world = World::start().await;
    let (player, token, gone) = world.player().await;
    let missing = world.browser().await;
    world.register(&token, &missing).await.unwrap();
    world.order(&gone, json!({ "status": 410 })).await;
    world.order(&missing, json!({ "status": 404 })).await;
    world.credit(player, "payment/1").await;
    world.delivered().await;
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription").await, 0);
    world.credit(player, "payment/2").await;
    world.delivered().await;
    assert_eq!(world.attempts(&gone).await, 1);
    assert_eq!(world.attempts(&missing).await, 1);
}

#[tokio::test]
async fn a_busy_push_service_is_tried_again_after_the_time_that_it_names() {
    let world = World::start().await;
    let (player, _, browser) = world.player().await;
    let answer = json!({ "status": 429, "retryAfter": 600, "count": 1 });
    world.order(&browser, answer).await;
    world.credit(player, "payment/1").await;
    world.until(async || world.attempts(&browser).await == 1).await;
    let waiting = "SELECT count(*) FROM outbox
                   WHERE NOT leased AND due_at > now() + interval '9 minutes' AND attempts = 0";
    world.until(async || world.rows(waiting).await == 1).await;

    // Another notification waits too, because the push service's Retry-After applies to the
    // browser.
    world.credit(player, "payment/2").await;
    let both = "SELECT count(*) FROM outbox
                WHERE NOT leased AND due_at > now() + interval '9 minutes'";
    world.until(async || world.rows(both).await == 2).await;
    assert_eq!(world.attempts(&browser).await, 1);

    world.service.clock.advance(Duration::from_mins(10));
    world.service.database.advance_outbox(Duration::from_hours(2)).await;
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 3);
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription WHERE failures > 0").await, 0);
}

#[tokio::test]
async fn a_failing_push_service_is_tried_again_until_the_notification_is_too_old() {
    let world = World::start().await;
    let (player, _, browser) = world.player().await;
    world.order(&browser, json!({ "status": 500 })).await;
    world.credit(player, "payment/1").await;
    world.put_off(&browser).await;
    world.service.clock.advance(Duration::from_mins(61));
    world.service.database.advance_outbox(Duration::from_hours(2)).await;
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 1, "it is too old");
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription").await, 1);
}

#[tokio::test]
async fn a_push_service_that_is_out_counts_against_no_browser_but_the_one_that_found_out() {
    let world = World::start().await;
    let ((first, ..), (second, ..)) = (world.player().await, world.player().await);
    let World { service, sandbox, .. } = world;
    sandbox.shutdown().await;
    let count = async |query, expected: i64| {
        testkit::eventually(query, || async {
            (service.count(query).await == expected).then_some(())
        })
        .await;
    };
    service.notify(service.credited(first, "payment/1")).await.unwrap();
    count("SELECT count(*) FROM push_subscription WHERE failures = 1", 1).await;
    service.notify(service.credited(second, "payment/2")).await.unwrap();
    // The row waits for the pause of the host, which is longer than the pause after a browser's
    // first failure.
    count(
        "SELECT count(*) FROM outbox
         WHERE NOT leased AND due_at > now() + interval '3 seconds' AND attempts = 0",
        1,
    )
    .await;
    count("SELECT count(*) FROM push_subscription WHERE failures = 0", 1).await;
}

#[tokio::test]
async fn nothing_is_pushed_after_sign_out_and_nothing_to_the_next_player_of_the_browser() {
    let world = World::start().await;
    let (player, token, browser) = world.player().await;
    let endpoint = browser.subscription.endpoint.clone();
    let request = RemovePushSubscriptionRequest { endpoint: endpoint.clone(), all: false };
    let (next, next_token) = world.service.tokens.player();

    // Another's endpoint is not removed.
    let mut client = world.service.pushes();
    client.remove_push_subscription(signed(&next_token, request.clone())).await.unwrap();
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription").await, 1);
    client.remove_push_subscription(signed(&token, request)).await.unwrap();
    world.credit(player, "payment/1").await;
    world.delivered().await;
    assert_eq!(world.pushed(&browser).await.len(), 0);

    // Without a sign-out, the browser moves to the player who registers it, without earlier
    // deliveries.
    world.register(&token, &browser).await.unwrap();
    world.order(&browser, json!({ "status": 429, "retryAfter": 600, "count": 1 })).await;
    world.credit(player, "payment/2").await;
    world.put_off(&browser).await;
    world.register(&next_token, &browser).await.unwrap();
    world.service.database.advance_outbox(Duration::from_hours(2)).await;
    world.delivered().await;
    assert_eq!(world.pushed(&browser).await.len(), 0);
    world.credit(next, "payment/3").await;
    world.delivered().await;
    assert_eq!(world.pushed(&browser).await.len(), 1);
}

#[tokio::test]
async fn signing_out_everywhere_removes_all_browsers_of_the_player() {
    let world = World::start().await;
    let (_, token, _) = world.player().await;
    world.register(&token, &world.browser().await).await.unwrap();
    let (_, _, others) = world.player().await;
    let request = RemovePushSubscriptionRequest { all: true, ..Default::default() };
    world.service.pushes().remove_push_subscription(signed(&token, request)).await.unwrap();
    let left: Vec<String> = sqlx::query_scalar("SELECT endpoint FROM push_subscription")
        .fetch_all(&world.service.database.pool)
        .await
        .unwrap();
    assert_eq!(left, [others.subscription.endpoint]);
}

#[tokio::test]
async fn a_delivery_that_died_before_its_record_is_repeated_under_the_same_topic() {
    let world = World::start().await;
    let (player, _, browser) = world.player().await;
    world.credit(player, "payment/1").await;
    world.delivered().await;
    // The state after the process died after the reply of the push service.
    sqlx::query(REPEAT).execute(&world.service.database.pool).await.unwrap();
    world.delivered().await;
    let pushed = world.pushed(&browser).await;
    assert_eq!(pushed.len(), 2);
    assert_eq!(pushed[0]["topic"], pushed[1]["topic"]);
    assert_eq!(pushed[0]["message"], pushed[1]["message"]);
}

#[tokio::test]
async fn an_endpoint_cannot_be_taken_over_with_other_keys() {
    let world = World::start().await;
    let (_, _, browser) = world.player().await;
    let (_, token) = world.service.tokens.player();
    let mut stolen = world.browser().await;
    stolen.subscription.endpoint = browser.subscription.endpoint.clone();
    let refused = world.register(&token, &stolen).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_PUSH_SUBSCRIPTION");
}

#[tokio::test]
async fn a_player_has_ten_browsers_and_the_oldest_gives_way() {
    let world = World::start().await;
    let (player, token, first) = world.player().await;
    for _ in 0..10 {
        world.service.clock.advance(Duration::from_secs(1));
        world.register(&token, &world.browser().await).await.unwrap();
    }
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription").await, 10);
    world.credit(player, "payment/1").await;
    world.delivered().await;
    assert_eq!(world.attempts(&first).await, 0);
}

#[tokio::test]
async fn muted_kinds_quiet_hours_and_read_notifications_are_not_pushed() {
    let world = World::start().await;
    let (player, token, browser) = world.player().await;
    let topics =
        |topics: &[NotificationTopic]| topics.iter().map(|topic| (*topic).into()).collect();
    let mut settings = NotificationSettings {
        muted: topics(&[NotificationTopic::Money, NotificationTopic::Money]),
        quiet_hours: None,
    };
    world.put(&token, settings.clone()).await.unwrap();
    world.credit(player, "payment/1").await;
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 0);

    // Quiet hours of the whole day except one minute, twelve hours from now.
    let now = world.service.clock.now().to_offset(time::macros::offset!(+3));
    let minute = u32::from(now.hour()) * 60 + u32::from(now.minute());
    let hours = QuietHours { from: (minute + 721) % 1440, until: (minute + 720) % 1440 };
    settings = NotificationSettings {
        muted: topics(&[NotificationTopic::Boosts]),
        quiet_hours: Some(hours),
    };
    world.put(&token, settings.clone()).await.unwrap();
    world.credit(player, "payment/2").await;
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 0);
    let request = signed(&token, GetNotificationSettingsRequest {});
    let stored = world.service.pushes().get_notification_settings(request).await.unwrap();
    assert_eq!(stored.into_inner().settings, Some(settings));

    // A notification that was read while its delivery waited is not pushed.
    world.put(&token, NotificationSettings::default()).await.unwrap();
    world.order(&browser, json!({ "status": 429, "retryAfter": 600, "count": 1 })).await;
    world.credit(player, "payment/3").await;
    world.put_off(&browser).await;
    let mut inbox = world.service.notifications.clone();
    inbox
        .mark_notifications_read(signed(&token, MarkNotificationsReadRequest { ids: vec![] }))
        .await
        .unwrap();
    world.service.database.advance_outbox(Duration::from_hours(2)).await;
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 1);
}

#[tokio::test]
async fn settings_that_are_none_are_refused() {
    let world = World::start().await;
    let (_, token) = world.service.tokens.player();
    let hours = |from, until| NotificationSettings {
        muted: vec![],
        quiet_hours: Some(QuietHours { from, until }),
    };
    let unknown = |topic| NotificationSettings { muted: vec![topic], quiet_hours: None };
    for bad in [hours(0, 1440), hours(7, 7), unknown(0), unknown(99)] {
        let refused = world.put(&token, bad).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    }
}

#[tokio::test]
async fn only_endpoints_of_push_services_are_stored() {
    let world = World::start().await;
    let (_, token) = world.service.tokens.player();
    for endpoint in [
        "http://127.0.0.1:1/push/x",
        "https://169.254.169.254/latest",
        "https://[::1]/push/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://fcm.googleapis.com:8443/x",
        "https://user@fcm.googleapis.com/x",
    ] {
        let mut browser = world.browser().await;
        endpoint.clone_into(&mut browser.subscription.endpoint);
        let refused = world.register(&token, &browser).await.unwrap_err();
        assert_eq!(reason(&refused), "INVALID_PUSH_SUBSCRIPTION", "{endpoint}");
    }
    let mut browser = world.browser().await;
    browser.subscription.p256dh = vec![4; 65];
    assert_eq!(
        reason(&world.register(&token, &browser).await.unwrap_err()),
        "INVALID_PUSH_SUBSCRIPTION"
    );
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription").await, 0);
}

#[tokio::test]
async fn a_push_of_a_kind_that_only_a_newer_replica_has_waits_until_it_is_too_old() {
    let world = World::start().await;
    let database = &world.service.database;
    let (player, token) = world.service.tokens.player();
    // The notification is stored before there is a browser, so that no delivery overtakes the
    // change of its kind.
    world.credit(player, "payment/1").await;
    let rename = async |kind: &str| {
        let rename = sqlx::query("UPDATE notification SET kind = $1").bind(kind);
        rename.execute(&database.pool).await.unwrap();
    };
    rename("FROM_A_NEWER_REPLICA").await;
    let browser = world.browser().await;
    world.register(&token, &browser).await.unwrap();
    let push = async || sqlx::query(REPEAT).execute(&database.pool).await.unwrap();
    push().await;
    let waiting = "SELECT count(*) FROM outbox
                   WHERE NOT leased AND due_at > now() + interval '5 seconds' AND attempts = 0";
    world.until(async || world.rows(waiting).await == 1).await;

    rename("TOP_UP_COMPLETED").await;
    database.advance_outbox(Duration::from_secs(15)).await;
    world.delivered().await;
    assert_eq!(world.pushed(&browser).await.len(), 1);

    rename("FROM_A_NEWER_REPLICA").await;
    push().await;
    world.until(async || world.rows(waiting).await == 1).await;
    world.service.clock.advance(Duration::from_mins(61));
    database.advance_outbox(Duration::from_secs(15)).await;
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 1);
}

#[tokio::test]
async fn a_subscription_that_only_another_replica_may_call_is_kept() {
    let world = World::start().await;
    let (player, _, browser) = world.player().await;
    let change = "UPDATE push_subscription SET endpoint = 'https://push.example.com/x'";
    sqlx::query(change).execute(&world.service.database.pool).await.unwrap();
    world.credit(player, "payment/1").await;
    world.delivered().await;
    assert_eq!(world.attempts(&browser).await, 0);
    assert_eq!(world.rows("SELECT count(*) FROM push_subscription").await, 1);
}

#[tokio::test]
async fn a_service_without_a_key_offers_no_push() {
    let service = Service::start().await;
    let key = service.pushes().get_push_key(GetPushKeyRequest {}).await.unwrap();
    assert_eq!(key.into_inner().public_key, "");
    let (player, token) = service.tokens.player();
    let request = RegisterPushSubscriptionRequest::default();
    let refused = service.pushes().register_push_subscription(signed(&token, request)).await;
    assert_eq!(reason(&refused.unwrap_err()), "PUSH_NOT_OFFERED");
    service.notify(service.credited(player, "payment/1")).await.unwrap();
    assert_eq!(service.newest(&token).await.len(), 1);
}

#[tokio::test]
async fn subscriptions_that_no_browser_refreshes_are_removed() {
    let world = World::start().await;
    let (player, _, _) = world.player().await;
    world.service.clock.advance(Duration::from_hours(24 * 59));
    let kept = world.browser().await;
    world.register(&world.service.tokens.token(player), &kept).await.unwrap();
    world.service.clock.advance(Duration::from_hours(24 * 2));
    // The job's first round runs at the start.
    let _replica = world.service.start_replica().await;
    world.until(async || world.rows("SELECT count(*) FROM push_subscription").await == 1).await;
}
