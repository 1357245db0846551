//! The rate limit of a player's messages.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use time::OffsetDateTime;
use types::{PlayerId, SlidingWindow};

use crate::{
    domain::RoomId,
    error::{Error, Refused},
};

/// The window in which messages count.
const PERIOD: Duration = Duration::from_secs(10);
/// The number of keys from which keys without messages in the window are removed.
const SWEPT_AT: usize = 10_000;

/// The messages of the last seconds, by player, and by player and room. Kept in memory, where
/// counting costs a message nothing: the limit need not hold across replicas.
pub(crate) struct SendRate {
    by_room: Windows<(RoomId, PlayerId)>,
    by_player: Windows<PlayerId>,
}

struct Windows<K> {
    window: SlidingWindow,
    sent: Mutex<Sent<K>>,
}

struct Sent<K> {
    times: HashMap<K, VecDeque<OffsetDateTime>>,
    swept_at: usize,
}

impl SendRate {
    pub(crate) fn new(per_room: usize, per_player: usize) -> Self {
        Self { by_room: Windows::new(per_room), by_player: Windows::new(per_player) }
    }

    /// Counts a message, or refuses it with the time to wait.
    pub(super) fn record(
        &self,
        room: RoomId,
        player: PlayerId,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        self.by_room
            .record((room, player), now)
            .and_then(|()| self.by_player.record(player, now))
            .map_err(|wait| Refused::SendingTooFast(wait).into())
    }
}

impl<K: Eq + Hash> Windows<K> {
    fn new(limit: usize) -> Self {
        let sent = Sent { times: HashMap::new(), swept_at: SWEPT_AT };
        Self { window: SlidingWindow::new(limit, PERIOD), sent: Mutex::new(sent) }
    }

    fn record(&self, key: K, now: OffsetDateTime) -> Result<(), Duration> {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if sent.times.len() >= sent.swept_at {
            sent.times.retain(|_, times| times.back().is_some_and(|last| *last + PERIOD > now));
            // At most every second message of new senders sweeps a key, however many stay.
            sent.swept_at = SWEPT_AT.max(2 * sent.times.len());
        }
        self.window.record_in(sent.times.entry(key).or_default(), now)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn keys_are_removed_once_no_message_of_theirs_counts_and_seldom_looked_through() {
        let windows = Windows::new(1);
        let begin = datetime!(2026-11-26 12:00 UTC);
        let kept = || windows.sent.lock().unwrap().times.len();
        for key in 0..=SWEPT_AT {
            windows.record(key, begin).unwrap();
        }
        assert_eq!(kept(), SWEPT_AT + 1, "all of them count");
        let late = begin + PERIOD + Duration::from_secs(1);
        for key in SWEPT_AT + 1..2 * SWEPT_AT {
            windows.record(key, late).unwrap();
        }
        assert_eq!(kept(), 2 * SWEPT_AT, "they are looked through at twice as many");
        windows.record(2 * SWEPT_AT, late).unwrap();
        assert_eq!(kept(), SWEPT_AT, "those of the beginning are gone");
        assert!(windows.record(2 * SWEPT_AT, late).is_err());
    }
}
