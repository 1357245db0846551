//! Publishing that a room changed, for its feed in each replica.

use tracing::{Instrument as _, warn};

use super::{Cx, room_change::RoomChange};
use crate::domain::RoomId;

/// The channel of a room.
pub(super) fn channel(room: RoomId) -> String {
    format!("chat.room.{room}")
}

/// Wakes this replica's feed at once, and those of the others in a task of its own. Call it
/// after the commit. The message may be lost: feeds also read without one.
pub(super) fn publish_room_changed(cx: &Cx, room: RoomId, change: RoomChange) {
    cx.feeds.wake(room, change);
    let pubsub = cx.pubsub.clone();
    let publishing = async move {
        // Fails after half a second, so a Redis that does not reply cannot pile up tasks.
        if let Err(error) = pubsub.publish(&channel(room), &change.to_string()).await {
            warn!(error = format!("{error:#}"), "cannot publish that a room changed");
        }
    };
    cx.shutdown.spawn_contained("publish room change", publishing.in_current_span());
}
