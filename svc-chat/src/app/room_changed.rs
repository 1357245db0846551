//! Publishing that a room changed, for its feed in each replica.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tracing::{Instrument as _, warn};

use super::{Cx, room_change::RoomChange};
use crate::domain::RoomId;

/// Changes that the other replicas have not been sent yet. What comes while others are under
/// way goes with the next ones, so that a busy room costs Redis one message and not one for each.
#[derive(Default)]
pub(crate) struct RoomHints(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    changes: Vec<(RoomId, RoomChange)>,
    is_publishing: bool,
}

/// The channel of a room.
pub(super) fn channel(room: RoomId) -> String {
    format!("chat.room.{room}")
}

/// Wakes this replica's feed at once, and those of the others in a task of its own. Call it
/// after the commit. The message may be lost: feeds also read without one.
pub(super) fn publish_room_changed(cx: &Cx, room: RoomId, change: RoomChange) {
    cx.feeds.wake(room, change);
    if cx.room_hints.add(room, change) {
        let publisher = Publisher { cx: cx.clone(), is_done: false };
        let publishing = publisher.run().in_current_span();
        cx.shutdown.spawn_contained("publish room changes", publishing);
    }
}

impl RoomHints {
    /// Adds a change. True when a publisher is wanted, because none is at work.
    fn add(&self, room: RoomId, change: RoomChange) -> bool {
        let mut waiting = self.lock();
        let merged = waiting.changes.iter_mut().find_map(|(of, waits)| {
            (*of == room).then(|| waits.merge(change)).flatten().map(|merged| *waits = merged)
        });
        if merged.is_none() {
            waiting.changes.push((room, change));
        }
        !mem::replace(&mut waiting.is_publishing, true)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Publishes changes until none waits.
struct Publisher {
    cx: Cx,
    is_done: bool,
}

impl Publisher {
    async fn run(mut self) {
        while let Some(changes) = self.next() {
            let message =
                |(room, change): (RoomId, RoomChange)| (channel(room), change.to_string());
            let messages: Vec<_> = changes.into_iter().map(message).collect();
            // Fails after half a second.
            if let Err(error) = self.cx.pubsub.publish_all(&messages).await {
                warn!(error = format!("{error:#}"), "cannot publish that rooms changed");
            }
        }
    }

    /// The next changes. Without any this publisher is done, in the same lock: a change that
    /// comes afterwards starts another.
    fn next(&mut self) -> Option<Vec<(RoomId, RoomChange)>> {
        let mut waiting = self.cx.room_hints.lock();
        let changes = mem::take(&mut waiting.changes);
        self.is_done = changes.is_empty();
        if self.is_done {
            waiting.is_publishing = false;
            return None;
        }
        Some(changes)
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        if !self.is_done {
            // It panicked: the next change starts another.
            self.cx.room_hints.lock().is_publishing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    #[test]
    fn changes_of_one_kind_wait_as_one_and_one_publisher_is_wanted() {
        let hints = RoomHints::default();
        let room = || RoomId::generate(&Clock::system(), &Rng::system());
        let (one, other) = (room(), room());
        assert!(hints.add(one, RoomChange::Message(7)));
        for (room, change) in [
            (one, RoomChange::Removal),
            (other, RoomChange::Message(3)),
            (one, RoomChange::Message(9)),
            (one, RoomChange::Message(8)),
            (one, RoomChange::Removal),
        ] {
            assert!(!hints.add(room, change));
        }
        assert_eq!(
            hints.lock().changes,
            [
                (one, RoomChange::Message(9)),
                (one, RoomChange::Removal),
                (other, RoomChange::Message(3)),
            ]
        );
    }
}
