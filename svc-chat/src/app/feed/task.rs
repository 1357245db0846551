//! The task of a feed.

use std::{mem, sync::Arc, time::Duration};

use mesh::pubsub::{Event, Subscription};
use tokio::{
    sync::{Notify, broadcast},
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};
use tracing::warn;
use types::PlayerId;

use super::count_schedule::CountSchedule;
use crate::{
    app::{
        Cx, feeds::FeedEvent, message_batch::MessageBatch, room_change::RoomChange,
        room_changed::channel,
    },
    domain::{RoomCounts, RoomId, RoomState},
    error::Error,
    store,
};

/// Messages or removals of one read.
const READ_MAX: u32 = 200;
/// A read that failed is tried again after this time.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

pub(super) struct Task {
    cx: Cx,
    room: RoomId,
    /// The numbers of the last message and the last removal that were sent to the streams.
    messages: u64,
    removals: u64,
    events: broadcast::Sender<FeedEvent>,
    wake: Arc<Notify>,
    subscription: Subscription,
    /// When a read is due.
    read_at: Option<Instant>,
    count_schedule: CountSchedule,
    /// Presence changes to write before the next count.
    presence: PresenceWork,
}

/// Changes of presence at this replica that are not in Redis yet.
#[derive(Default)]
struct PresenceWork {
    named_again: bool,
    arrived: Vec<PlayerId>,
    departed: Vec<PlayerId>,
}

impl Task {
    pub(super) fn new(
        cx: &Cx,
        room: RoomId,
        state: RoomState,
        events: broadcast::Sender<FeedEvent>,
        wake: Arc<Notify>,
    ) -> Self {
        Self {
            cx: cx.clone(),
            room,
            messages: state.messages,
            removals: state.removals,
            events,
            wake,
            subscription: cx.pubsub.subscribe([channel(room)]),
            // The first read fetches what changed between the state and the subscription.
            read_at: Some(Instant::now()),
            count_schedule: CountSchedule::default(),
            presence: PresenceWork::default(),
        }
    }

    /// Runs until no stream is left.
    pub(super) async fn run(mut self) {
        let mut beat = interval(self.cx.presence.interval());
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let shutdown = self.cx.shutdown.clone();
        loop {
            tokio::select! {
                () = shutdown.stopping() => break,
                event = self.subscription.next() => match event {
                    Some(Event::Message { payload, .. }) => self.hint(&payload),
                    // The next read makes up for what was lost.
                    Some(Event::Lagged) => self.read_at = Some(Instant::now()),
                    None => break,
                },
                () = self.wake.notified() => self.work().await,
                _ = beat.tick() => {
                    if self.cx.feeds.remove_idle(self.room) {
                        return;
                    }
                    self.beat().await;
                }
                () = due(self.read_at) => self.read_or_retry().await,
                () = due(self.count_schedule.due()) => self.count().await,
            }
        }
        self.cx.feeds.forget(self.room);
    }

    /// Handles the hint of a replica that the room changed. This replica's own change has woken the
    /// feed before.
    fn hint(&mut self, payload: &str) {
        match payload.parse() {
            Ok(RoomChange::Message(seq)) if seq <= self.messages => {}
            Ok(change) => self.cx.feeds.wake(self.room, change),
            // The payload is a newer replica's.
            Err(()) => self.read_at = Some(Instant::now()),
        }
    }

    async fn work(&mut self) {
        let work = self.cx.feeds.take_work(self.room);
        if work.messages {
            self.read_or_retry().await;
        }
        if work.memberships {
            self.check_memberships().await;
        }
        let is_presence = work.named_again || !work.arrived.is_empty() || !work.departed.is_empty();
        self.presence.named_again |= work.named_again;
        self.presence.arrived.extend(work.arrived);
        self.presence.departed.extend(work.departed);
        if work.counts || work.memberships || is_presence {
            self.count_schedule.request(Instant::now());
        }
    }

    /// Repeats all work at each presence interval, in case a hint was lost.
    async fn beat(&mut self) {
        self.presence.named_again = true;
        self.check_memberships().await;
        self.read_or_retry().await;
        self.count_schedule.request(Instant::now());
    }

    async fn read_or_retry(&mut self) {
        self.read_at = match self.read().await {
            Ok(()) => None,
            Err(error) => {
                warn!(%error, "cannot read the messages of a room");
                Some(Instant::now() + RETRY_PAUSE)
            }
        };
    }

    /// Sends the messages and removals after the last ones. Messages come first, because the
    /// removal of a message that was not sent would be lost.
    async fn read(&mut self) -> Result<(), Error> {
        let mut conn = self.cx.db.acquire().await?;
        loop {
            let range = self.messages + 1..=u64::MAX;
            let messages = store::message::range(&mut conn, self.room, range, READ_MAX).await?;
            let is_last = messages.len() < READ_MAX as usize;
            for batch in MessageBatch::split(messages) {
                self.messages = batch.newest();
                self.send(FeedEvent::Messages(batch));
            }
            if is_last {
                break;
            }
        }
        loop {
            let removed =
                store::message::removed_after(&mut conn, self.room, self.removals, READ_MAX)
                    .await?;
            let is_last = removed.len() < READ_MAX as usize;
            for message in removed {
                self.removals = message.removal.unwrap_or(self.removals);
                self.send(FeedEvent::Removed(Arc::new(message)));
            }
            if is_last {
                return Ok(());
            }
        }
    }

    async fn check_memberships(&self) {
        let here = self.cx.feeds.players(self.room);
        match self.strangers(&here).await {
            Ok(strangers) if strangers.is_empty() => {}
            Ok(strangers) => self.send(FeedEvent::MembershipsEnded(strangers.into())),
            Err(error) => warn!(%error, "cannot read the memberships of a room"),
        }
    }

    async fn strangers(&self, players: &[PlayerId]) -> Result<Vec<PlayerId>, Error> {
        let mut conn = self.cx.db.acquire().await?;
        Ok(store::membership::strangers(&mut conn, self.room, players).await?)
    }

    /// Sends the counts if they differ from the last ones.
    async fn count(&mut self) {
        self.say_who_is_online().await;
        match counts(&self.cx, self.room).await {
            Ok(counts) => {
                if self.cx.feeds.set_counts(self.room, counts) {
                    self.send(FeedEvent::Counts(counts));
                }
            }
            // The next beat counts again.
            Err(error) => warn!(%error, "cannot count the members of a room"),
        }
        // The pause begins after the counts are sent, which may take long.
        self.count_schedule.counted(Instant::now());
    }

    /// Names arrived players as online and removes departed ones, and has the other replicas count.
    /// At most once a second, because a Redis that does not reply delays messages.
    async fn say_who_is_online(&mut self) {
        let PresenceWork { named_again, arrived, departed } = mem::take(&mut self.presence);
        let here = self.cx.feeds.players(self.room);
        let departed: Vec<_> =
            departed.into_iter().filter(|player| !here.contains(player)).collect();
        // Some players have left again since.
        let arrived: Vec<_> = arrived.into_iter().filter(|player| here.contains(player)).collect();
        self.cx.presence.leave(self.room, &departed).await;
        self.cx.presence.name(self.room, if named_again { &here } else { &arrived }).await;
        let change = match (departed.is_empty(), arrived.is_empty()) {
            (false, _) => RoomChange::Offline,
            (true, false) => RoomChange::Counts,
            (true, true) => return,
        };
        // If the hint is lost, the other replicas count at their next beat.
        let _ = self.cx.pubsub.publish(&channel(self.room), &change.to_string()).await;
    }

    fn send(&self, event: FeedEvent) {
        // Fails when no stream is left.
        let _ = self.events.send(event);
    }
}

/// How many members the room has, and how many of them are online. Without Redis, only players with
/// streams at this replica count as online.
pub(in crate::app) async fn counts(cx: &Cx, room: RoomId) -> Result<RoomCounts, Error> {
    let mut conn = cx.db.acquire().await?;
    let members = store::room::state(&mut conn, room).await?.map_or(0, |state| state.members);
    drop(conn);
    let online = cx.presence.online(&[room]).await.and_then(|online| online.first().copied());
    let here = || u32::try_from(cx.feeds.players(room).len()).unwrap_or(u32::MAX);
    Ok(RoomCounts { members, online: online.unwrap_or_else(here).min(members) })
}

/// A feed that panics ends its streams, and readers open them again.
impl Drop for Task {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.cx.feeds.forget(self.room);
        }
    }
}

async fn due(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
