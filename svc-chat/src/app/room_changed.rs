//! Publishing that a room changed, for its feed in each replica.

use tracing::warn;

use super::{Cx, room_change::RoomChange};
use crate::domain::RoomId;

/// The channel of a room.
pub(super) fn channel(room: RoomId) -> String {
    format!("chat.room.{room}")
}

/// Wakes this replica's feed at once, and the other replicas' feeds in a task of its own. Call it
/// after the commit. The message may be lost: feeds also read without one.
pub(super) fn publish_room_changed(cx: &Cx, room: RoomId, change: RoomChange) {
    cx.feeds.wake(room, change);
    if cx.room_hints.add(room, change) {
        let publisher = Publisher { cx: cx.clone(), is_done: false };
        // The task has no span of the caller, because it also publishes other calls' changes.
        cx.shutdown.spawn_contained("publish room changes", publisher.run());
    }
}

/// Publishes changes until none waits.
struct Publisher {
    cx: Cx,
    is_done: bool,
}

impl Publisher {
    async fn run(mut self) {
        while let Some(changes) = self.cx.room_hints.next() {
            let message =
                |(room, change): (RoomId, RoomChange)| (channel(room), change.to_string());
            let messages: Vec<_> = changes.into_iter().map(message).collect();
            // Without Redis the call fails after half a second.
            if let Err(error) = self.cx.pubsub.publish_all(&messages).await {
                warn!(error = format!("{error:#}"), "cannot publish that rooms changed");
            }
        }
        self.is_done = true;
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        if !self.is_done {
            self.cx.room_hints.lose_publisher();
        }
    }
}
