//! Web Push over HTTP.

use proto::chat::v1::{
    NotificationTopic, QuietHours, RegisterPushSubscriptionRequest, RemovePushSubscriptionRequest,
    UpdateNotificationSettingsRequest,
};
use serde_json::json;

use crate::world::{World, read};

/// A push subscription, as browsers write it.
const SUBSCRIPTION: &str = r#"{"endpoint":"https://fcm.googleapis.com/fcm/send/x","expirationTime":null,"keys":{"p256dh":"BAAB","auth":"AQID"}}"#;

#[tokio::test]
async fn guests_get_the_key_that_browsers_subscribe_with() {
    let world = World::new().await;
    let answer = read(world.get("/api/profile/push-key")).await;
    assert_eq!(answer.payload(), json!({"publicKey": "BKey"}));
}

#[tokio::test]
async fn a_subscription_is_registered_in_the_language_of_the_call_and_removed() {
    let world = World::new().await;
    let body = json!({ "deviceToken": SUBSCRIPTION }).to_string();
    let call = world.send_signed_in("POST", "/api/profile/device-token", &body);
    let answer = read(call.header("accept-language", "sw")).await;
    assert_eq!((answer.status.as_u16(), answer.payload()), (200, json!(null)));
    let expected = RegisterPushSubscriptionRequest {
        endpoint: "https://fcm.googleapis.com/fcm/send/x".into(),
        p256dh: vec![4, 0, 1],
        auth: vec![1, 2, 3],
        language: "sw".into(),
    };
    assert_eq!(world.stub.received::<RegisterPushSubscriptionRequest>()[0].1, expected);

    let call = world.send_signed_in("POST", "/api/profile/device-token/remove", &body);
    assert_eq!(read(call).await.status.as_u16(), 200);
    let removed = world.stub.received::<RemovePushSubscriptionRequest>().remove(0).1;
    assert_eq!(removed.endpoint, expected.endpoint);
}

#[tokio::test]
async fn what_is_no_subscription_goes_on_without_an_endpoint_or_keys() {
    let world = World::new().await;
    let long = format!(r#"{{"endpoint":"https://x/{}"}}"#, "x".repeat(5_000));
    for token in ["", "null", "[]", "{}", r#"{"endpoint":7}"#, &long] {
        let body = json!({ "deviceToken": token }).to_string();
        read(world.send_signed_in("POST", "/api/profile/device-token", &body)).await;
    }
    let bad = r#"{"endpoint":"https://x/y","keys":{"p256dh":"not base64!","auth":"AQID"}}"#;
    let body = json!({ "deviceToken": bad }).to_string();
    read(world.send_signed_in("POST", "/api/profile/device-token", &body)).await;
    let mut sent = world.stub.received::<RegisterPushSubscriptionRequest>();
    let (_, without_key) = sent.pop().unwrap();
    assert_eq!((without_key.endpoint.as_str(), without_key.p256dh.len()), ("https://x/y", 0));
    assert_eq!(sent.len(), 6);
    assert!(sent.iter().all(|(_, request)| request.endpoint.is_empty()));
}

#[tokio::test]
async fn settings_are_read_and_replaced() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/profile/notification-settings")).await;
    let expected = json!({"muted": ["BOOSTS"], "quietFrom": "22:30", "quietUntil": "06:00"});
    assert_eq!(answer.payload(), expected);

    let path = "/api/profile/notification-settings";
    let body = r#"{"muted":["MONEY"],"quietFrom":"21:00","quietUntil":"07:15"}"#;
    assert_eq!(read(world.send_signed_in("POST", path, body)).await.status.as_u16(), 200);
    let sent = world.stub.received::<UpdateNotificationSettingsRequest>().remove(0).1;
    let sent = sent.settings.unwrap();
    assert_eq!(sent.muted, [i32::from(NotificationTopic::Money)]);
    assert_eq!(sent.quiet_hours, Some(QuietHours { from: 1_260, until: 435 }));
    for bad in [
        r#"{"muted":["WEATHER"]}"#,
        r#"{"muted":["UNSPECIFIED"]}"#,
        r#"{"quietFrom":"21:00"}"#,
        r#"{"quietUntil":"21:00"}"#,
        r#"{"quietFrom":"25:00","quietUntil":"07:15"}"#,
    ] {
        let refusal = read(world.send_signed_in("POST", path, bad)).await.refusal();
        assert_eq!(refusal, (400, "INVALID_ARGUMENT".into()), "{bad}");
    }
}
