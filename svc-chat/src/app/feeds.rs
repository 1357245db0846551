//! The feeds of a replica: their watchers, and the work that each has to do.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, broadcast};
use types::PlayerId;

use super::message_batch::MessageBatch;
use crate::{
    app::room_change::RoomChange,
    domain::{Message, RoomCounts, RoomId},
};

/// Events that may wait for a stream; a stream that lags further behind reads from Postgres.
const BACKLOG: usize = 256;

/// What a feed sends to its streams.
#[derive(Debug, Clone)]
pub(super) enum FeedEvent {
    /// The next messages, in the order of their numbers, without a gap.
    Messages(Arc<MessageBatch>),
    /// A message was removed.
    Removed(Arc<Message>),
    Counts(RoomCounts),
    /// These players are no members any more.
    MembershipsEnded(Arc<[PlayerId]>),
}

/// The feeds of this replica, by room.
#[derive(Default)]
pub(crate) struct Feeds(Mutex<HashMap<RoomId, Feed>>);

struct Feed {
    events: broadcast::Sender<FeedEvent>,
    /// The players with streams at this replica, and how many each has.
    players: HashMap<PlayerId, usize>,
    /// The counts that were sent last.
    counts: Option<RoomCounts>,
    work: Work,
    wake: Arc<Notify>,
}

/// The work that a feed has to do.
#[expect(clippy::struct_excessive_bools, reason = "each is a thing to do")]
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) messages: bool,
    pub(super) memberships: bool,
    pub(super) counts: bool,
    /// Whether all players at this replica are to be named as online again.
    pub(super) named_again: bool,
    /// Players to name as online.
    pub(super) arrived: Vec<PlayerId>,
    /// Players whose last stream at this replica ended.
    pub(super) departed: Vec<PlayerId>,
}

impl Feeds {
    /// Adds a stream of a player to the feed of a room. Without a feed, `start` starts one
    /// that sends to this channel and that this notifier wakes.
    pub(super) fn attend(
        &self,
        room: RoomId,
        player: PlayerId,
        start: impl FnOnce(broadcast::Sender<FeedEvent>, Arc<Notify>),
    ) -> broadcast::Receiver<FeedEvent> {
        let mut feeds = self.lock();
        let feed = feeds.entry(room).or_insert_with(|| {
            let (events, _) = broadcast::channel(BACKLOG);
            let wake = Arc::<Notify>::default();
            start(events.clone(), Arc::clone(&wake));
            Feed { events, players: HashMap::new(), counts: None, work: Work::default(), wake }
        });
        *feed.players.entry(player).or_default() += 1;
        feed.work.arrived.push(player);
        feed.wake.notify_one();
        feed.events.subscribe()
    }

    /// Wakes the feed of a room, if there is one.
    pub(super) fn wake(&self, room: RoomId, change: RoomChange) {
        let mut feeds = self.lock();
        let Some(feed) = feeds.get_mut(&room) else { return };
        match change {
            RoomChange::Message(_) | RoomChange::Removal => feed.work.messages = true,
            RoomChange::Counts => feed.work.counts = true,
            RoomChange::MembershipEnded => feed.work.memberships = true,
            RoomChange::Offline => feed.work.named_again = true,
        }
        feed.wake.notify_one();
    }

    /// Takes the work of a room's feed, which then has none.
    pub(super) fn take_work(&self, room: RoomId) -> Work {
        self.lock().get_mut(&room).map(|feed| mem::take(&mut feed.work)).unwrap_or_default()
    }

    /// The players with streams of a room at this replica.
    pub(super) fn players(&self, room: RoomId) -> Vec<PlayerId> {
        let feeds = self.lock();
        feeds.get(&room).map(|feed| feed.players.keys().copied().collect()).unwrap_or_default()
    }

    /// Sets the counts that are sent next; false if the last sent counts were the same. Call it
    /// before they are sent, because a stream that loses the event reads them here.
    pub(super) fn set_counts(&self, room: RoomId, counts: RoomCounts) -> bool {
        let mut feeds = self.lock();
        feeds.get_mut(&room).is_some_and(|feed| feed.counts.replace(counts) != Some(counts))
    }

    /// The counts that a room's feed sent last.
    pub(super) fn counts(&self, room: RoomId) -> Option<RoomCounts> {
        self.lock().get(&room).and_then(|feed| feed.counts)
    }

    /// Removes the feed of a room that has no streams at this replica; false if it has any.
    pub(super) fn remove_idle(&self, room: RoomId) -> bool {
        let mut feeds = self.lock();
        if feeds.get(&room).is_some_and(|feed| !feed.players.is_empty()) {
            return false;
        }
        feeds.remove(&room);
        true
    }

    pub(super) fn leave(&self, room: RoomId, player: PlayerId) {
        let mut feeds = self.lock();
        let Some(feed) = feeds.get_mut(&room) else { return };
        match feed.players.get_mut(&player) {
            Some(streams) if *streams > 1 => *streams -= 1,
            _ => {
                feed.players.remove(&player);
                feed.work.departed.push(player);
                feed.wake.notify_one();
            }
        }
    }

    /// Removes the feed of a room, whose streams end.
    pub(super) fn forget(&self, room: RoomId) {
        self.lock().remove(&room);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RoomId, Feed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
