//! The feeds of rooms: in each replica one for each room that is watched there. A feed reads
//! what is new from Postgres once, for all the streams of its room in this replica.

mod task;

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, broadcast};
use types::PlayerId;

use self::task::Task;
use super::{Cx, room_changed::RoomChange};
use crate::domain::{Message, RoomCounts, RoomId, RoomState};

/// Events that may wait for a stream; one that lags behind more reads from Postgres.
const BACKLOG: usize = 256;

/// What a feed sends to its streams.
#[derive(Debug, Clone)]
pub(super) enum FeedEvent {
    /// The next message, in the order of their numbers, without a gap.
    Message(Arc<Message>),
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
    /// The players with streams here, and how many each has.
    players: HashMap<PlayerId, usize>,
    work: Work,
    wake: Arc<Notify>,
}

/// What a feed has to do.
#[expect(clippy::struct_excessive_bools, reason = "each is a thing to do")]
#[derive(Debug, Default)]
struct Work {
    messages: bool,
    memberships: bool,
    counts: bool,
    /// Name all players here as online again.
    named_again: bool,
    /// Players to name as online.
    arrived: Vec<PlayerId>,
    /// Players whose last stream here ended.
    departed: Vec<PlayerId>,
}

/// A stream's part in a feed; ends when dropped.
pub(super) struct Attendance {
    cx: Cx,
    room: RoomId,
    player: PlayerId,
}

impl Feeds {
    /// Adds a stream of a player to the feed of a room, which is started if there is none. The
    /// state was read before: the feed sends what comes after it, or after a later one.
    pub(super) fn attend(
        &self,
        cx: &Cx,
        room: RoomId,
        player: PlayerId,
        state: RoomState,
    ) -> (Attendance, broadcast::Receiver<FeedEvent>) {
        let mut feeds = self.lock();
        let feed = feeds.entry(room).or_insert_with(|| {
            let (events, _) = broadcast::channel(BACKLOG);
            let wake = Arc::<Notify>::default();
            let task = Task::new(cx, room, state, events.clone(), Arc::clone(&wake));
            cx.shutdown.spawn_contained("room feed", task.run());
            Feed { events, players: HashMap::new(), work: Work::default(), wake }
        });
        *feed.players.entry(player).or_default() += 1;
        feed.work.arrived.push(player);
        feed.wake.notify_one();
        let receiver = feed.events.subscribe();
        (Attendance { cx: cx.clone(), room, player }, receiver)
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

    /// What the feed of a room has to do, once.
    fn take_work(&self, room: RoomId) -> Work {
        self.lock().get_mut(&room).map(|feed| mem::take(&mut feed.work)).unwrap_or_default()
    }

    /// The players with streams of a room here.
    fn players(&self, room: RoomId) -> Vec<PlayerId> {
        let feeds = self.lock();
        feeds.get(&room).map(|feed| feed.players.keys().copied().collect()).unwrap_or_default()
    }

    /// Removes the feed of a room without streams here; false if there are any.
    fn remove_idle(&self, room: RoomId) -> bool {
        let mut feeds = self.lock();
        if feeds.get(&room).is_some_and(|feed| !feed.players.is_empty()) {
            return false;
        }
        feeds.remove(&room);
        true
    }

    fn leave(&self, room: RoomId, player: PlayerId) {
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

    fn lock(&self) -> MutexGuard<'_, HashMap<RoomId, Feed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.cx.feeds.leave(self.room, self.player);
    }
}
