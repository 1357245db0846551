//! How fast a player may send.

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

/// How long a message counts.
const PERIOD: Duration = Duration::from_secs(10);
/// Keys in memory after which those without counting messages are removed.
const SWEPT_AT: usize = 10_000;

/// The messages of the last seconds, by player, and by player and room. In memory, because a
/// limit for people's sake need not hold over replicas, and costs a message nothing here.
pub(crate) struct SendRate {
    by_room: Windows<(RoomId, PlayerId)>,
    by_player: Windows<PlayerId>,
}

struct Windows<K> {
    window: SlidingWindow,
    sent: Mutex<HashMap<K, VecDeque<OffsetDateTime>>>,
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
        Self { window: SlidingWindow::new(limit, PERIOD), sent: Mutex::default() }
    }

    fn record(&self, key: K, now: OffsetDateTime) -> Result<(), Duration> {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if sent.len() >= SWEPT_AT {
            sent.retain(|_, times| times.back().is_some_and(|last| *last + PERIOD > now));
        }
        self.window.record_in(sent.entry(key).or_default(), now)
    }
}
