//! Publishing that a player's notifications changed, for [`super::watch_notifications`].

use tracing::{Instrument as _, warn};
use types::PlayerId;

use super::Cx;

/// The channel of one player.
pub(super) fn channel(player: PlayerId) -> String {
    format!("chat.notifications.{player}")
}

/// Publishes the change in a task of its own. Call it after the commit. The message is a
/// hint that may be lost: watchers also read without one.
pub(super) fn publish_notifications_changed(cx: &Cx, player: PlayerId) {
    let pubsub = cx.pubsub.clone();
    let publishing = async move {
        // Fails after half a second, so a Redis that does not reply cannot pile up tasks.
        if let Err(error) = pubsub.publish(&channel(player), "").await {
            warn!(error = format!("{error:#}"), "cannot publish that notifications changed");
        }
    };
    cx.shutdown.spawn_contained("publish notifications change", publishing.in_current_span());
}
