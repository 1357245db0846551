//! Watching rooms: one stream for several.

use std::{
    collections::{HashMap, HashSet},
    mem,
    ops::Range,
    sync::{Arc, LazyLock},
    time::Duration,
};

use mesh::{
    auth::Player,
    instrument,
    permits::{KeyedPermit, KeyedPermits},
    pubsub::{Event, Subscription},
};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::{
    StreamExt as _, StreamMap,
    wrappers::{BroadcastStream, errors::BroadcastStreamRecvError},
};
use tracing::{Instrument as _, Span, info_span};
use types::PlayerId;

use super::{
    Cx,
    feed::{Attendance, attend},
    feeds::FeedEvent,
    find_room::is_room_uid,
    message_batch::{BatchPart, MessageBatch},
    safety::blocks_channel,
};
use crate::{
    domain::{Message, MessageId, RoomCounts, RoomId, RoomState},
    error::{Error, Refused},
    store::{self, room::JoinedRoom},
};

/// Updates that may wait for a reader, of up to a batch of messages each. The stream waits for a
/// slower reader, and then reads from Postgres what its feed has sent meanwhile.
const BACKLOG: usize = 4;
/// Reads of all watchers of this process at once; calls need the connections as well.
const CONCURRENT_READS: usize = 4;
/// Watchers of this process, and of one player over all gateways.
const WATCHERS: usize = 50_000;
const WATCHERS_PER_PLAYER: usize = 32;
/// How long a reader has to take the error that ends its stream.
const FINAL_STATUS_LIMIT: Duration = Duration::from_secs(2);
/// Messages or removals of one read.
const READ_MAX: u32 = 100;
/// Messages up to the cursor whose removals are sent.
const REMOVALS: u64 = 200;

/// A room, and the number of the last message that the reader has.
#[derive(Debug)]
pub(crate) struct RoomCursor {
    pub(crate) chat_room_uid: String,
    pub(crate) after: u64,
}

/// An event of a room.
#[derive(Debug, Clone)]
pub(crate) struct RoomUpdate {
    pub(crate) chat_room_uid: Arc<str>,
    pub(crate) event: RoomEvent,
}

#[derive(Debug, Clone)]
pub(crate) enum RoomEvent {
    /// Messages of a batch, by their places in it.
    Messages(Arc<MessageBatch>, Range<usize>),
    /// A message that the reader does not see, and its number.
    Removed(MessageId, u64),
    /// The counts, and the number of the last message that the reader has.
    Counts(RoomCounts, u64),
}

/// An update, or the error that ends the stream. Boxed, because an empty channel has room for 32 or
/// 64 of them, and there are thousands of channels.
type Update = Box<Result<RoomUpdate, Error>>;

/// Streams the counts of each room, the messages after each cursor, then each message as it is
/// sent, without a gap and without a repeat, at most `messages_max` in an update. The player is
/// online in the rooms meanwhile.
///
/// Each room's feed is subscribed before the messages are read, so that each message arrives by the
/// feed or the read at least; the numbers show which arrived by both, and whether one is missing.
#[instrument(name = "chat.watch_rooms", skip_all, fields(player.id = %player.id, rooms = cursors.len()))]
pub(crate) async fn watch_rooms(
    cx: &Cx,
    player: Player,
    cursors: Vec<RoomCursor>,
    messages_max: usize,
) -> Result<mpsc::Receiver<Update>, Error> {
    static PERMITS: LazyLock<KeyedPermits<PlayerId>> =
        LazyLock::new(|| KeyedPermits::new("room_watchers", WATCHERS, WATCHERS_PER_PLAYER));
    let permit = PERMITS.acquire(Some(player.id)).map_err(|_| Refused::TooManyWatchers)?;
    // Subscribed before the blocks are read, so that no change is lost.
    let blocks = cx.pubsub.subscribe([blocks_channel(player.id)]);
    let joined = joined(cx, player.id, &cursors).await?;
    let blocked = blocked(cx, player.id).await?;
    let ids: Vec<RoomId> = joined.iter().map(|(_, room)| room.id).collect();
    let online = cx.presence.arrive(player.id, &ids).await;
    let mut rooms = Vec::with_capacity(joined.len());
    let mut events = StreamMap::new();
    for (at, (cursor, room)) in joined.into_iter().enumerate() {
        let (attendance, receiver) = attend(cx, room.id, player.id, room.state);
        events.insert(at, BroadcastStream::new(receiver));
        let online = online.as_ref().and_then(|online| online.get(at).copied());
        rooms.push(WatchedRoom::new(cursor, room, online, attendance));
    }
    let (sender, receiver) = mpsc::channel(BACKLOG);
    let watcher = Watcher {
        cx: cx.clone(),
        player: player.id,
        messages_max,
        blocked,
        rooms,
        sender,
        _permit: permit,
    };
    // A trace of its own, because the stream lives much longer than the call.
    let span = info_span!(parent: None, "chat.room_stream", player.id = %player.id);
    span.follows_from(Span::current());
    cx.shutdown.spawn_contained("watch rooms", watcher.run(events, blocks).instrument(span));
    Ok(receiver)
}

/// The rooms of the cursors, in their order. Refuses those that the player has not joined.
async fn joined(
    cx: &Cx,
    player: PlayerId,
    cursors: &[RoomCursor],
) -> Result<Vec<(u64, JoinedRoom)>, Error> {
    let uids = cursors.iter().map(|cursor| cursor.chat_room_uid.clone());
    let uids: Vec<String> = uids.filter(|uid| is_room_uid(uid)).collect();
    let mut conn = cx.db.acquire().await?;
    let rooms = store::room::joined_states(&mut conn, player, &uids).await?;
    let mut by_uid: HashMap<String, JoinedRoom> =
        rooms.into_iter().map(|room| (room.chat_room_uid.clone(), room)).collect();
    let (mut joined, mut refused) = (Vec::new(), Vec::new());
    for cursor in cursors {
        match by_uid.remove(&cursor.chat_room_uid) {
            Some(room) => joined.push((cursor.after, room)),
            None => refused.push(cursor.chat_room_uid.clone()),
        }
    }
    if refused.is_empty() { Ok(joined) } else { Err(Refused::NotAMemberOf(refused).into()) }
}

/// The players whom the player blocked.
async fn blocked(cx: &Cx, player: PlayerId) -> Result<HashSet<PlayerId>, Error> {
    let _permit = permit().await?;
    let mut conn = cx.db.acquire().await?;
    Ok(store::safety::blocked(&mut conn, player).await?.into_iter().collect())
}

struct WatchedRoom {
    id: RoomId,
    chat_room_uid: Arc<str>,
    /// The number of the last message that was sent.
    cursor: u64,
    /// The number of the last removal that the reader has or does not need, because it was before
    /// the stream or is sent with its message.
    removals: u64,
    counts: RoomCounts,
    _attendance: Attendance,
}

impl WatchedRoom {
    fn new(after: u64, room: JoinedRoom, online: Option<u32>, attendance: Attendance) -> Self {
        let RoomState { messages, removals, members } = room.state;
        Self {
            id: room.id,
            chat_room_uid: room.chat_room_uid.into(),
            // A cursor beyond the newest message means new messages only.
            cursor: after.min(messages),
            removals,
            // Without Redis the feed sends a better count later.
            counts: RoomCounts { members, online: online.unwrap_or(1).min(members) },
            _attendance: attendance,
        }
    }

    fn update(&self, event: RoomEvent) -> RoomUpdate {
        RoomUpdate { chat_room_uid: Arc::clone(&self.chat_room_uid), event }
    }
}

/// Why a stream ended.
enum Ended {
    /// The reader is gone.
    ReaderGone,
    Failed(Error),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

struct Watcher {
    cx: Cx,
    player: PlayerId,
    /// Messages of an update at most.
    messages_max: usize,
    /// Players whose messages are sent as removals.
    blocked: HashSet<PlayerId>,
    rooms: Vec<WatchedRoom>,
    sender: mpsc::Sender<Update>,
    _permit: KeyedPermit<PlayerId>,
}

impl Watcher {
    async fn run(
        mut self,
        events: StreamMap<usize, BroadcastStream<FeedEvent>>,
        blocks: Subscription,
    ) {
        let shutdown = self.cx.shutdown.clone();
        let sender = self.sender.clone();
        let ended = tokio::select! {
            ended = self.stream(events, blocks) => ended,
            () = sender.closed() => Err(Ended::ReaderGone),
            () = shutdown.stopping() => Err(Ended::Failed(Refused::Stopping.into())),
        };
        if let Err(Ended::Failed(error)) = ended {
            // Fails if the reader is gone or no longer reads.
            let _ = sender.send_timeout(Box::new(Err(error)), FINAL_STATUS_LIMIT).await;
        }
    }

    async fn stream(
        &mut self,
        mut events: StreamMap<usize, BroadcastStream<FeedEvent>>,
        mut blocks: Subscription,
    ) -> Result<(), Ended> {
        for at in 0..self.rooms.len() {
            // Boxed, like every future that reads from Postgres, so that an idle stream takes
            // little memory.
            Box::pin(self.begin(at)).await?;
        }
        loop {
            let next = tokio::select! {
                next = events.next() => next,
                hint = blocks.next() => {
                    Box::pin(self.blocks_changed(hint)).await?;
                    continue;
                }
            };
            let Some((at, event)) = next else { break };
            match event {
                Ok(event) => self.pass_on(at, event).await?,
                Err(BroadcastStreamRecvError::Lagged(_)) => {
                    Box::pin(self.replace_lost_events(at)).await?;
                }
            }
            if events.len() < self.rooms.len() {
                break;
            }
        }
        // A feed ended, because its process stops or because it panicked.
        Err(Ended::Failed(Refused::Stopping.into()))
    }

    /// Reads the player's blocks again, so that they hide the next messages.
    async fn blocks_changed(&mut self, hint: Option<Event>) -> Result<(), Ended> {
        // The subscription ends only when the process stops.
        hint.ok_or_else(|| Ended::Failed(Refused::Stopping.into()))?;
        self.blocked = blocked(&self.cx, self.player).await?;
        Ok(())
    }

    /// Sends the counts, and the messages and removals that the reader has missed.
    async fn begin(&mut self, at: usize) -> Result<(), Ended> {
        let room = &self.rooms[at];
        self.send(room.update(RoomEvent::Counts(room.counts, room.cursor))).await?;
        if room.cursor > 0 {
            let range = room.cursor.saturating_sub(REMOVALS - 1)..=room.cursor;
            let removed = {
                let _permit = permit().await?;
                let mut conn = self.cx.db.acquire().await.map_err(Error::from)?;
                store::message::removed_in(&mut conn, room.id, range).await.map_err(Error::from)?
            };
            // `catch_up` sends the later removals.
            let is_known = |message: &Message| message.removal <= Some(room.removals);
            for message in removed.into_iter().filter(is_known) {
                self.send(room.update(RoomEvent::Removed(message.id, message.seq))).await?;
            }
        }
        self.catch_up(at).await
    }

    /// Sends the events of a feed that this stream was too slow to take.
    async fn replace_lost_events(&mut self, at: usize) -> Result<(), Ended> {
        self.catch_up(at).await?;
        match self.cx.feeds.counts(self.rooms[at].id) {
            Some(counts) => self.send_counts(at, counts).await,
            None => Ok(()),
        }
    }

    /// Sends from Postgres the removals after the last one, then the messages after the cursor.
    ///
    /// In this order each is sent once: a message beyond the cursor that was removed before the
    /// first read is read as a removed message. A change between the two reads is an event of the
    /// feed that this stream has not taken yet.
    async fn catch_up(&mut self, at: usize) -> Result<(), Ended> {
        self.send_removals(at).await?;
        self.send_messages(at).await
    }

    async fn send_removals(&mut self, at: usize) -> Result<(), Ended> {
        loop {
            let room = &self.rooms[at];
            let removed = {
                let _permit = permit().await?;
                let mut conn = self.cx.db.acquire().await.map_err(Error::from)?;
                store::message::removed_after(&mut conn, room.id, room.removals, READ_MAX)
                    .await
                    .map_err(Error::from)?
            };
            let is_last = removed.len() < READ_MAX as usize;
            for message in removed {
                self.send_removal(at, &message).await?;
            }
            if is_last {
                return Ok(());
            }
        }
    }

    async fn send_messages(&mut self, at: usize) -> Result<(), Ended> {
        loop {
            let room = &self.rooms[at];
            let messages = {
                let _permit = permit().await?;
                let mut conn = self.cx.db.acquire().await.map_err(Error::from)?;
                let range = room.cursor + 1..=u64::MAX;
                store::message::range(&mut conn, room.id, range, READ_MAX)
                    .await
                    .map_err(Error::from)?
            };
            let is_last = messages.len() < READ_MAX as usize;
            for batch in MessageBatch::split(messages) {
                self.send_batch(at, batch).await?;
            }
            if is_last {
                return Ok(());
            }
        }
    }

    async fn pass_on(&mut self, at: usize, event: FeedEvent) -> Result<(), Ended> {
        let room = &self.rooms[at];
        match event {
            FeedEvent::Messages(batch) if batch.oldest() <= room.cursor + 1 => {
                self.send_batch(at, batch).await
            }
            FeedEvent::Messages(_) => Box::pin(self.catch_up(at)).await,
            // The removal was read from Postgres before.
            FeedEvent::Removed(message) if message.removal <= Some(room.removals) => Ok(()),
            FeedEvent::Removed(message) => self.send_removal(at, &message).await,
            FeedEvent::Counts(counts) => self.send_counts(at, counts).await,
            FeedEvent::MembershipsEnded(players) if players.contains(&self.player) => {
                let uid = room.chat_room_uid.to_string();
                Err(Ended::Failed(Refused::NotAMemberOf(vec![uid]).into()))
            }
            FeedEvent::MembershipsEnded(_) => Ok(()),
        }
    }

    /// Sends the messages after the cursor. Those up to it were read from Postgres.
    async fn send_batch(&mut self, at: usize, batch: Arc<MessageBatch>) -> Result<(), Ended> {
        let room = &self.rooms[at];
        let is_shown =
            |message: &Message| !message.is_removed() && !self.blocked.contains(&message.player);
        for part in batch.parts_after(room.cursor, self.messages_max, is_shown) {
            let event = match part {
                BatchPart::Shown(places) => RoomEvent::Messages(Arc::clone(&batch), places),
                BatchPart::Hidden(place) => {
                    let message = &batch.messages()[place];
                    RoomEvent::Removed(message.id, message.seq)
                }
            };
            self.send(room.update(event)).await?;
        }
        let cursor = &mut self.rooms[at].cursor;
        *cursor = batch.newest().max(*cursor);
        Ok(())
    }

    /// Sends the next removal. The removal of a message that was not sent yet is sent with its
    /// message.
    async fn send_removal(&mut self, at: usize, message: &Message) -> Result<(), Ended> {
        let room = &mut self.rooms[at];
        room.removals = message.removal.unwrap_or(room.removals);
        if message.seq > room.cursor {
            return Ok(());
        }
        self.send(self.rooms[at].update(RoomEvent::Removed(message.id, message.seq))).await
    }

    async fn send_counts(&mut self, at: usize, counts: RoomCounts) -> Result<(), Ended> {
        let room = &mut self.rooms[at];
        if mem::replace(&mut room.counts, counts) == counts {
            return Ok(());
        }
        let event = RoomEvent::Counts(counts, room.cursor);
        self.send(self.rooms[at].update(event)).await
    }

    async fn send(&self, update: RoomUpdate) -> Result<(), Ended> {
        self.sender.send(Box::new(Ok(update))).await.map_err(|_| Ended::ReaderGone)
    }
}

async fn permit() -> Result<tokio::sync::SemaphorePermit<'static>, Error> {
    static PERMITS: Semaphore = Semaphore::const_new(CONCURRENT_READS);
    Ok(PERMITS.acquire().await.map_err(anyhow::Error::from)?)
}
