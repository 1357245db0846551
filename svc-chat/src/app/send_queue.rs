//! Stores messages: those of a room that wait at the same time by one statement.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use anyhow::anyhow;
use mesh::Fault;
use tokio::sync::oneshot;
use tracing::{Instrument as _, Span, info_span};

use super::Cx;
use crate::{
    domain::{MessageId, NewMessage, RoomId},
    error::{Error, Refused},
    store,
};

/// Messages of one statement.
const BATCH: usize = 100;
/// Messages of one room that may wait; more are refused.
const WAITING: usize = 1_000;

/// The messages that wait to be stored, by room.
///
/// A process has one statement at a time for each room. Senders would otherwise queue at the
/// database for the lock on the room's numbers, one transaction after the other, each with a
/// connection. So replicas wait for that lock, and not senders.
#[derive(Default)]
pub(crate) struct SendQueues(Mutex<HashMap<RoomId, Vec<Waiting>>>);

/// A message, and where its number goes.
struct Waiting {
    message: NewMessage,
    stored: oneshot::Sender<Stored>,
}

/// The message's number; `None` for one that is not new or whose sender is no member. A
/// failure is that of all messages of the statement.
type Stored = Result<Option<u64>, Fault>;

impl SendQueues {
    /// Stores a message together with those of its room that wait, and returns its number.
    ///
    /// It is stored, too, when the caller has gone: a repeat of the call finds it.
    pub(super) async fn store(
        &self,
        cx: &Cx,
        room: RoomId,
        message: NewMessage,
    ) -> Result<Option<u64>, Error> {
        let (stored, number) = oneshot::channel();
        if self.push(room, Waiting { message, stored })? {
            // A trace of its own, because messages of several calls are stored.
            let span = info_span!(parent: None, "chat.store_messages", room.id = %room);
            span.follows_from(Span::current());
            let own = cx.clone();
            let storing = async move { own.send_queues.run(&own, room).await };
            cx.shutdown.spawn_contained("store messages", storing.instrument(span));
        }
        match number.await {
            Ok(Ok(number)) => Ok(number),
            Ok(Err(fault)) => Err(fault.into()),
            // The task panicked, or the process stops.
            Err(_) => Err(anyhow!("messages were not stored").into()),
        }
    }

    /// Adds a message; true if nothing stores those of its room yet.
    fn push(&self, room: RoomId, waiting: Waiting) -> Result<bool, Refused> {
        let mut rooms = self.lock();
        if let Some(queue) = rooms.get_mut(&room) {
            if queue.len() >= WAITING {
                return Err(Refused::Overloaded);
            }
            queue.push(waiting);
            return Ok(false);
        }
        rooms.insert(room, vec![waiting]);
        Ok(true)
    }

    /// Stores batches until none waits.
    async fn run(&self, cx: &Cx, room: RoomId) {
        let _abandoned = Abandon { queues: self, room };
        while let Some(batch) = self.next(room) {
            store_batch(cx, room, batch).await;
        }
    }

    /// The next batch. Without one the room has no queue any more.
    fn next(&self, room: RoomId) -> Option<Vec<Waiting>> {
        let mut rooms = self.lock();
        let queue = rooms.get_mut(&room)?;
        if queue.is_empty() {
            rooms.remove(&room);
            return None;
        }
        // Two with one id are stored one after the other, and the second is a repeat.
        let mut ids = HashSet::new();
        let count = queue.iter().take(BATCH).take_while(|one| ids.insert(one.message.id)).count();
        Some(queue.drain(..count).collect())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RoomId, Vec<Waiting>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the queue of a room if its task panics, so that the next message starts another.
struct Abandon<'a> {
    queues: &'a SendQueues,
    room: RoomId,
}

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.queues.lock().remove(&self.room);
        }
    }
}

async fn store_batch(cx: &Cx, room: RoomId, batch: Vec<Waiting>) {
    let messages: Vec<&NewMessage> = batch.iter().map(|one| &one.message).collect();
    // Another replica may store one of them between this statement's look and its insert. The
    // second try sees it.
    let numbers = match insert(cx, room, &messages).await {
        Err(Error::Conflict) => insert(cx, room, &messages).await,
        other => other,
    };
    match numbers {
        Ok(mut numbers) => {
            for Waiting { message, stored } in batch {
                // Fails if the caller has gone.
                let _ = stored.send(Ok(numbers.remove(&message.id)));
            }
        }
        Err(error) => {
            // Logged here, once.
            let fault = Fault::from(error);
            for waiting in batch {
                let _ = waiting.stored.send(Err(fault.clone()));
            }
        }
    }
}

async fn insert(
    cx: &Cx,
    room: RoomId,
    messages: &[&NewMessage],
) -> Result<HashMap<MessageId, u64>, Error> {
    let mut conn = cx.db.acquire().await?;
    let numbered = store::message::insert(&mut conn, room, messages).await;
    match numbered {
        Ok(numbered) => Ok(numbered.into_iter().map(|one| (one.id, one.seq)).collect()),
        Err(error) if mesh::db::violated(&error) == Some("message_id") => Err(Error::Conflict),
        Err(error) => Err(error.into()),
    }
}
