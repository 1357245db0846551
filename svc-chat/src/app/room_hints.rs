//! Changes of rooms that are not yet published to the other replicas.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::room_change::RoomChange;
use crate::domain::RoomId;

/// Changes that arrive while others are being published are published together next, so that a busy
/// room costs Redis one message and not one for each change.
#[derive(Default)]
pub(crate) struct RoomHints(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    changes: Vec<(RoomId, RoomChange)>,
    is_publishing: bool,
}

impl RoomHints {
    /// Adds a change. True when the caller must start a publisher, because none is running.
    pub(super) fn add(&self, room: RoomId, change: RoomChange) -> bool {
        let mut waiting = self.lock();
        let merged = waiting.changes.iter_mut().find_map(|(of, waits)| {
            (*of == room).then(|| waits.merge(change)).flatten().map(|merged| *waits = merged)
        });
        if merged.is_none() {
            waiting.changes.push((room, change));
        }
        !mem::replace(&mut waiting.is_publishing, true)
    }

    /// Takes the next changes for the publisher. Without any, the publisher is done; this is
    /// recorded under the same lock, so that a later change starts another publisher.
    pub(super) fn next(&self) -> Option<Vec<(RoomId, RoomChange)>> {
        let mut waiting = self.lock();
        let changes = mem::take(&mut waiting.changes);
        waiting.is_publishing = !changes.is_empty();
        waiting.is_publishing.then_some(changes)
    }

    /// Records that the publisher ended early, so that the next change starts another.
    pub(super) fn lose_publisher(&self) {
        self.lock().is_publishing = false;
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    fn room() -> RoomId {
        RoomId::generate(&Clock::system(), &Rng::system())
    }

    #[test]
    fn changes_of_one_kind_wait_as_one_and_one_publisher_is_wanted() {
        let hints = RoomHints::default();
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
        let expected = [
            (one, RoomChange::Message(9)),
            (one, RoomChange::Removal),
            (other, RoomChange::Message(3)),
        ];
        assert_eq!(hints.next().unwrap(), expected);
    }

    #[test]
    fn a_publisher_that_is_done_or_lost_is_replaced_by_the_next_change() {
        let (hints, room) = (RoomHints::default(), room());
        assert!(hints.add(room, RoomChange::Counts));
        assert_eq!(hints.next().unwrap(), [(room, RoomChange::Counts)]);
        assert!(!hints.add(room, RoomChange::Removal), "it is at work");
        assert_eq!(hints.next().unwrap(), [(room, RoomChange::Removal)]);
        assert_eq!(hints.next(), None);
        assert!(hints.add(room, RoomChange::Counts));

        hints.lose_publisher();
        assert!(hints.add(room, RoomChange::Counts));
        assert_eq!(hints.next().unwrap(), [(room, RoomChange::Counts)]);
    }
}
