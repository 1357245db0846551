//! Notifying players of packages that are about to end. The outbox row is written with the
//! mark at the subscription, and delivered until svc-chat has stored the notification.

use std::time::Duration;

use mesh::{instrument, jobs::Round};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use types::PlayerId;

use crate::{
    app::Cx,
    clients::notifications::{Notification, NotificationKind},
    domain::{Package, SubscriptionId},
    error::Error,
    store,
};

/// The outbox topic of these notifications.
pub(crate) const ENDING_TOPIC: &str = "chat.notify_ending";

/// A player is notified this long before a package ends.
const NOTICE: Duration = Duration::from_hours(1);
/// Maximum subscriptions per round.
const BATCH: i64 = 100;

/// The payload of an outbox row of [`ENDING_TOPIC`]: a package ends within the hour.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ending {
    subscription: SubscriptionId,
    player: PlayerId,
    /// The name of the package.
    package: String,
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Finds the subscriptions that end within the hour, and writes one row for each end. A
/// subscription that was extended meanwhile is found again before its new end.
pub(crate) async fn find_ending(cx: &Cx) -> Result<Round, Error> {
    let at = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let ending = store::subscription::mark_ending(&mut tx, at, at + NOTICE, BATCH).await?;
    let more = i64::try_from(ending.len()).is_ok_and(|found| found == BATCH);
    for (player, held) in ending {
        let ending = Ending {
            subscription: held.id,
            player,
            package: Package::name(held.package).to_owned(),
            expires_at: held.term.expires_at,
            at,
        };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, ENDING_TOPIC, &ending).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(ENDING_TOPIC);
    Ok(if more { Round::More } else { Round::Done })
}

/// Sends a notification, unless the package has ended meanwhile. A repeat changes nothing at
/// svc-chat.
#[instrument(name = "wallet.notify_ending", skip_all, fields(player.id = %ending.player))]
pub(crate) async fn notify_ending(cx: &Cx, ending: &Ending) -> Result<(), Error> {
    if ending.expires_at <= cx.clock.now() {
        return Ok(());
    }
    let end = ending.expires_at.unix_timestamp();
    let notification = Notification {
        source: format!("subscription/{}/ending/{end}", ending.subscription),
        player: ending.player,
        kind: NotificationKind::SubscriptionEnding { package: &ending.package },
        occurred_at: ending.at,
    };
    Ok(cx.notifications.notify(notification).await?)
}
