//! Web Push: the subscriptions of browsers, and what a player wants to be pushed.

use axum::extract::State;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use mesh::Fault;
use proto::{
    Absent,
    chat::v1::{
        self as rpc, GetNotificationSettingsRequest, GetPushKeyRequest, NotificationTopic,
        RegisterPushSubscriptionRequest, RemovePushSubscriptionRequest,
        UpdateNotificationSettingsRequest,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
};
use crate::{Gateway, envelope::Reply, language, openapi::schema::payloads};

/// Longest subscription, in bytes of JSON.
const TOKEN_MAX: usize = 4_096;
/// Minutes of an hour.
const HOUR: u32 = 60;

/// `GET /profile/push-key`
pub(crate) async fn key(State(gateway): State<Gateway>) -> HandlerResult<PushKey> {
    let reply = gateway.upstreams().push().get_push_key(GetPushKeyRequest {}).await?;
    Ok(Reply::ok(PushKey { public_key: reply.into_inner().public_key }))
}

/// `POST /profile/device-token`
pub(crate) async fn register(
    State(gateway): State<Gateway>,
    Body(body): Body<DeviceToken>,
) -> HandlerResult<()> {
    let subscription = Subscription::parse(&body.device_token);
    // svc-chat refuses an invalid key.
    let decode =
        |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).unwrap_or_default();
    let request = RegisterPushSubscriptionRequest {
        p256dh: decode(&subscription.keys.p256dh),
        auth: decode(&subscription.keys.auth),
        endpoint: subscription.endpoint,
        language: language::current().tag().to_owned(),
    };
    gateway.upstreams().push().register_push_subscription(request).await?;
    Ok(Reply::ok(()))
}

/// `POST /profile/device-token/remove`
pub(crate) async fn remove(
    State(gateway): State<Gateway>,
    Body(body): Body<DeviceToken>,
) -> HandlerResult<()> {
    let endpoint = Subscription::parse(&body.device_token).endpoint;
    let request = RemovePushSubscriptionRequest { endpoint, all: false };
    gateway.upstreams().push().remove_push_subscription(request).await?;
    Ok(Reply::ok(()))
}

/// `GET /profile/notification-settings`
pub(crate) async fn settings(
    State(gateway): State<Gateway>,
) -> HandlerResult<NotificationSettings> {
    let request = GetNotificationSettingsRequest {};
    let reply = gateway.upstreams().push().get_notification_settings(request).await?;
    let settings = reply.into_inner().settings.ok_or(Absent("settings"))?;
    Ok(Reply::ok(NotificationSettings::of(&settings)))
}

/// `POST /profile/notification-settings`
pub(crate) async fn update_settings(
    State(gateway): State<Gateway>,
    Body(body): Body<UpdateSettings>,
) -> HandlerResult<()> {
    let settings = Some(body.parse()?);
    let request = UpdateNotificationSettingsRequest { settings };
    gateway.upstreams().push().update_notification_settings(request).await?;
    Ok(Reply::ok(()))
}

request! {
    /// A browser's push subscription.
    pub(crate) struct DeviceToken {
        /// The JSON of the browser's `PushSubscription`.
        device_token: String = "deviceToken",
    }
}

request! {
    /// A player's settings of push: the kinds that are not pushed, and the quiet hours.
    pub(crate) struct UpdateSettings {
        /// The kinds that are not pushed: MONEY, BOOSTS, TOURNAMENTS, SUBSCRIPTIONS, MENTIONS. Absent
        /// for none.
        muted: Option<Vec<String>> = "muted",
        /// The beginning of the quiet hours, HH:MM by the clock of Nairobi. No quiet hours
        /// without both.
        quiet_from: Option<String> = "quietFrom",
        /// The end of the quiet hours, HH:MM.
        quiet_until: Option<String> = "quietUntil",
    }
}

payloads!(PushKey, NotificationSettings);

/// The key that browsers subscribe with.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushKey {
    /// The public key of VAPID in base64url. Empty when push is not offered.
    public_key: String,
}

/// A player's settings of push.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotificationSettings {
    /// The kinds that are not pushed.
    muted: Vec<Topic>,
    /// The beginning of the quiet hours, HH:MM by the clock of Nairobi; null without quiet
    /// hours.
    #[schema(required)]
    quiet_from: Option<String>,
    /// The end of the quiet hours.
    #[schema(required)]
    quiet_until: Option<String>,
}

/// Kinds of notifications that are switched on and off together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Topic {
    Money,
    Boosts,
    Tournaments,
    Subscriptions,
    Mentions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Subscription {
    endpoint: String,
    keys: Keys,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Keys {
    p256dh: String,
    auth: String,
}

impl Subscription {
    /// Parses a subscription; an invalid one becomes empty, which svc-chat refuses.
    fn parse(text: &str) -> Self {
        let text = if text.len() > TOKEN_MAX { "" } else { text };
        serde_json::from_str(text).unwrap_or_default()
    }
}

impl Topic {
    /// The topic; `None` for a topic of a newer svc-chat.
    const fn of(topic: NotificationTopic) -> Option<Self> {
        match topic {
            NotificationTopic::Money => Some(Self::Money),
            NotificationTopic::Boosts => Some(Self::Boosts),
            NotificationTopic::Tournaments => Some(Self::Tournaments),
            NotificationTopic::Subscriptions => Some(Self::Subscriptions),
            NotificationTopic::Mentions => Some(Self::Mentions),
            NotificationTopic::Unspecified => None,
        }
    }
}

impl NotificationSettings {
    fn of(settings: &rpc::NotificationSettings) -> Self {
        let time = |minute: u32| format!("{:02}:{:02}", minute / HOUR, minute % HOUR);
        let hours = settings.quiet_hours.as_ref();
        Self {
            muted: settings.muted().filter_map(Topic::of).collect(),
            quiet_from: hours.map(|hours| time(hours.from)),
            quiet_until: hours.map(|hours| time(hours.until)),
        }
    }
}

impl UpdateSettings {
    fn parse(self) -> Result<rpc::NotificationSettings, Fault> {
        let muted = self.muted.unwrap_or_default().into_iter().map(|name| {
            let topic = NotificationTopic::from_str_name(&format!("NOTIFICATION_TOPIC_{name}"));
            topic
                .filter(|topic| Topic::of(*topic).is_some())
                .map(Into::into)
                .ok_or_else(|| Fault::invalid_field("muted", "CHOICE_UNKNOWN"))
        });
        let muted = muted.collect::<Result<_, _>>()?;
        let from = self.quiet_from.map(|text| minute("quietFrom", &text)).transpose()?;
        let until = self.quiet_until.map(|text| minute("quietUntil", &text)).transpose()?;
        let quiet_hours = match (from, until) {
            (None, None) => None,
            (Some(from), Some(until)) => Some(rpc::QuietHours { from, until }),
            (None, Some(_)) => return Err(no_time("quietFrom")),
            (Some(_), None) => return Err(no_time("quietUntil")),
        };
        Ok(rpc::NotificationSettings { muted, quiet_hours })
    }
}

/// The minutes after midnight of HH:MM.
fn minute(field: &'static str, text: &str) -> Result<u32, Fault> {
    let two = |text: &str, most: u32| {
        let is_two = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number: Option<u32> = is_two.then(|| text.parse().ok()).flatten();
        number.filter(|number| *number < most)
    };
    let parts = text.split_once(':');
    let parts = parts.and_then(|(hours, minutes)| Some((two(hours, 24)?, two(minutes, 60)?)));
    parts.map(|(hours, minutes)| hours * HOUR + minutes).ok_or_else(|| no_time(field))
}

fn no_time(field: &'static str) -> Fault {
    Fault::invalid_field(field, "TIME_OF_DAY_MALFORMED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_two_digits_twice() {
        for (text, expected) in [("00:00", 0), ("07:05", 425), ("23:59", 1_439)] {
            assert_eq!(minute("quietFrom", text), Ok(expected));
        }
        for bad in ["", "7:05", "24:00", "12:60", "+1:00", "12.00", "12:00:00", "１２:00"] {
            assert!(minute("quietFrom", bad).is_err(), "{bad}");
        }
    }
}
