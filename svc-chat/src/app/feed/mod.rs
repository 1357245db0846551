//! The feeds of rooms: each replica has one for each room that is watched there. A feed reads new
//! messages from Postgres once, for all the streams of its room in this replica.

mod count_schedule;
mod task;

use tokio::sync::broadcast;
use types::PlayerId;

use self::task::Task;
use super::{Cx, feeds::FeedEvent};
use crate::domain::{RoomId, RoomState};

/// A stream's attachment to a feed, until it is dropped.
pub(super) struct Attendance {
    cx: Cx,
    room: RoomId,
    player: PlayerId,
}

/// Adds a stream of a player to the feed of a room, which is started if there is none. The caller
/// read the state before; the feed sends events after that state or a later one.
pub(super) fn attend(
    cx: &Cx,
    room: RoomId,
    player: PlayerId,
    state: RoomState,
) -> (Attendance, broadcast::Receiver<FeedEvent>) {
    let receiver = cx.feeds.attend(room, player, |events, wake| {
        let task = Task::new(cx, room, state, events, wake);
        cx.shutdown.spawn_contained("room feed", task.run());
    });
    (Attendance { cx: cx.clone(), room, player }, receiver)
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.cx.feeds.leave(self.room, self.player);
    }
}
