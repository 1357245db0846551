//! Pushing notifications to browsers. An outbox row for each browser is written with the
//! notification. The row is delivered until the push service has the message or the notification is
//! too old.
//!
//! A process that dies between a push service's reply and the removal of the row sends the
//! message again. It has the same topic, and the browser shows it under the notification's
//! id, so that it replaces the first one.

use std::time::Duration;

use mesh::{instrument, outbox::Delivery, texts};
use metrics::counter;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::format_description::well_known::Rfc3339;
use tracing::warn;
use types::PlayerId;
use types::uuid::Uuid;

use super::{Cx, push_subscriptions::push_client};
use crate::{
    clients::push::{PushMessage, Sent},
    domain::{BrowserKeys, NotificationId, NotificationKind, PushEndpoint, PushSubscriptionId},
    error::Error,
    store::{self, push::PushDelivery},
};

/// The outbox topic of notifications to push.
pub(crate) const PUSH_TOPIC: &str = "push";

/// The pause after the first failure; it doubles with each further one in a row.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// The longest pause after a failure.
const LONGEST_PAUSE: Duration = Duration::from_mins(10);
/// The longest pause that a push service may ask for.
const LONGEST_RETRY_AFTER: Duration = Duration::from_hours(1);
/// The pause of a notification of a kind that only a newer replica knows, so that during an update
/// a newer replica delivers the row.
const UPDATE_PAUSE: Duration = Duration::from_secs(15);
/// The longest title or text, in characters, so that the whole message stays below the size limit
/// of push services.
const TEXT_MAX: usize = 400;

/// The payload of an outbox row of [`PUSH_TOPIC`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Push {
    notification: Uuid,
    subscription: Uuid,
}

/// The message that the web app's service worker receives.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    id: String,
    kind: &'a str,
    title: String,
    body: String,
    /// A path in the web app.
    url: &'a str,
    created_at: String,
}

/// The decision on a delivery before anything is sent.
enum Plan {
    Send {
        endpoint: PushEndpoint,
        keys: BrowserKeys,
        kind: NotificationKind,
        ttl: Duration,
    },
    Wait(Duration),
    /// Nothing is sent, for this reason.
    Skip(&'static str),
}

/// Writes an outbox row for each notification and browser of its player. Returns whether any was
/// written; the caller then notifies [`Cx::outbox`] after the commit.
pub(super) async fn put_pushes(
    conn: &mut PgConnection,
    cx: &Cx,
    stored: &[(PlayerId, NotificationId)],
) -> Result<bool, Error> {
    if cx.push.is_none() || stored.is_empty() {
        return Ok(false);
    }
    let players: Vec<PlayerId> = stored.iter().map(|(player, _)| *player).collect();
    let browsers = store::push::list_ids(conn, &players).await?;
    for (player, notification) in stored {
        for (_, subscription) in browsers.iter().filter(|(of, _)| of == player) {
            let push =
                Push { notification: notification.uuid(), subscription: subscription.uuid() };
            mesh::outbox::put(conn, &cx.clock, &cx.rng, PUSH_TOPIC, &push).await?;
        }
    }
    Ok(!browsers.is_empty())
}

/// Delivers a notification to a browser.
#[instrument(name = "chat.push", skip_all, fields(notification.id = %push.notification))]
pub(crate) async fn push(cx: &Cx, push: &Push) -> Result<Delivery, Error> {
    let (notification, subscription) = (push.notification.into(), push.subscription.into());
    let found = {
        let mut conn = cx.db.acquire().await?;
        store::push::find_delivery(&mut conn, notification, subscription).await?
    };
    // The subscription was signed out or removed, or is another player's by now.
    let Some(found) = found else { return Ok(done("unsubscribed")) };
    match plan(cx, &found)? {
        Plan::Skip(why) => Ok(done(why)),
        Plan::Wait(pause) => Ok(Delivery::Later(pause)),
        Plan::Send { endpoint, keys, kind, ttl } => {
            // A phone that was signed out remotely, such as a stolen one, shows no more
            // notifications.
            if !cx.players.is_session_open(found.session).await? {
                let mut conn = cx.db.acquire().await?;
                store::push::delete_of_session(&mut conn, subscription, found.session).await?;
                return Ok(done("signed_out"));
            }
            let message = PushMessage {
                endpoint: &endpoint,
                keys: &keys,
                payload: payload(notification, kind, &found)?,
                ttl,
                topic: push.notification.simple().to_string(),
            };
            let sent = push_client(cx)?.send(message).await?;
            settle(cx, subscription, sent).await
        }
    }
}

/// Decides from the current state whether to send.
fn plan(cx: &Cx, found: &PushDelivery) -> Result<Plan, Error> {
    let now = cx.clock.now();
    let expires_at = found.created_at + cx.push_max_age;
    let Ok(ttl) = Duration::try_from(expires_at - now) else { return Ok(Plan::Skip("expired")) };
    if found.read {
        return Ok(Plan::Skip("read"));
    }
    let Some(kind) = found.kind else { return Ok(Plan::Wait(UPDATE_PAUSE.min(ttl))) };
    if found.settings.is_quiet(kind, now) {
        return Ok(Plan::Skip("quiet"));
    }
    if found.settings.mutes(kind) {
        return Ok(Plan::Skip("muted"));
    }
    if let Some(pause) = found.retry_at.and_then(|at| Duration::try_from(at - now).ok())
        && !pause.is_zero()
    {
        return Ok(Plan::Wait(pause.min(ttl)));
    }
    let endpoint = push_client(cx)?.endpoint(&found.endpoint);
    let (Ok(endpoint), Some(keys)) = (endpoint, found.keys.clone()) else {
        // The subscription is kept until its retention ends: a replica with other PUSH_SERVICES may
        // have accepted it.
        return Ok(Plan::Skip("not_allowed"));
    };
    Ok(Plan::Send { endpoint, keys, kind, ttl })
}

/// The message in the language of the browser, with the texts of the inbox.
fn payload(
    id: NotificationId,
    kind: NotificationKind,
    found: &PushDelivery,
) -> Result<Vec<u8>, Error> {
    let name: &str = kind.into();
    let text = |key: &str| {
        let params = found.params.iter().map(|(name, value)| (&**name, &**value));
        let text = texts::text(key, params, found.language).unwrap_or_default();
        text.chars().take(TEXT_MAX).collect::<String>()
    };
    let message = Message {
        id: id.to_string(),
        kind: name,
        title: text(&format!("NOTIFICATION_{name}_TITLE")),
        body: text(&format!("NOTIFICATION_{name}")),
        url: &kind.link(&found.params),
        created_at: found.occurred_at.format(&Rfc3339).unwrap_or_default(),
    };
    serde_json::to_vec(&message).map_err(|error| Error::Failed(error.into()))
}

/// Stores what an answer means for the browser's further deliveries.
async fn settle(cx: &Cx, id: PushSubscriptionId, sent: Sent) -> Result<Delivery, Error> {
    let retry_after = match sent {
        Sent::Accepted => {
            let mut conn = cx.db.acquire().await?;
            store::push::mark_delivered(&mut conn, id).await?;
            return Ok(done("delivered"));
        }
        Sent::Gone => {
            let mut conn = cx.db.acquire().await?;
            store::push::delete(&mut conn, id).await?;
            return Ok(done("gone"));
        }
        // The failure is the host's, not the browser's.
        Sent::HostOut(pause) => return Ok(retry("retried", pause)),
        Sent::HostBusy(pause) => return Ok(retry("busy", pause)),
        Sent::Refused(reason) => {
            warn!(subscription.id = %id, reason, "a push service refused a message");
            return Ok(done("refused"));
        }
        Sent::Unreachable(reason) => {
            warn!(subscription.id = %id, reason, "a push service could not be reached");
            None
        }
        Sent::Later(retry_after) => retry_after,
    };
    let mut conn = cx.db.acquire().await?;
    let failures = store::push::count_failure(&mut conn, id).await?;
    let pause = if let Some(pause) = retry_after {
        pause.clamp(Duration::from_secs(1), LONGEST_RETRY_AFTER)
    } else {
        let pause = backoff(failures);
        pause + cx.rng.jitter(pause / 4)
    };
    store::push::pause(&mut conn, id, cx.clock.now(), pause).await?;
    Ok(retry("retried", pause))
}

/// The pause after this many failures in a row.
fn backoff(failures: u32) -> Duration {
    let doubled = 2_u32.checked_pow(failures.saturating_sub(1));
    let pause = doubled.and_then(|factor| FIRST_PAUSE.checked_mul(factor));
    pause.unwrap_or(LONGEST_PAUSE).min(LONGEST_PAUSE)
}

fn done(outcome: &'static str) -> Delivery {
    count(outcome);
    Delivery::Done
}

fn retry(outcome: &'static str, pause: Duration) -> Delivery {
    count(outcome);
    Delivery::Later(pause)
}

/// Counts a delivery by its outcome.
fn count(outcome: &'static str) {
    counter!("push_deliveries_total", "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use mesh::Language;

    use super::*;
    use crate::domain::NotificationKind;

    #[test]
    fn pauses_double_up_to_ten_minutes() {
        assert_eq!(backoff(1), Duration::from_secs(2));
        assert_eq!(backoff(2), Duration::from_secs(4));
        assert_eq!(backoff(9), Duration::from_secs(512));
        for failures in [10, 32, 33, u32::MAX] {
            assert_eq!(backoff(failures), LONGEST_PAUSE);
        }
    }
    #[test]
    fn each_kind_has_texts_in_both_languages() {
        use strum::IntoEnumIterator as _;

        for kind in NotificationKind::iter() {
            let name = format!("NOTIFICATION_{}", <&str>::from(kind));
            for name in [name.clone(), format!("{name}_TITLE")] {
                for language in [Language::English, Language::Swahili] {
                    assert!(mesh::texts::text(&name, [], language).is_some(), "{name}");
                }
            }
        }
    }
}
