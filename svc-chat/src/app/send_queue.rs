//! The messages that wait to be stored.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use mesh::Fault;
use tokio::sync::oneshot;

use crate::{
    domain::{NewMessage, RoomId},
    error::Refused,
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
pub(super) struct Waiting {
    pub(super) message: NewMessage,
    pub(super) stored: oneshot::Sender<Stored>,
}

/// The message's number; `None` for one that is not new or whose sender is no member. A
/// failure is that of all messages of the statement.
pub(super) type Stored = Result<Option<u64>, Fault>;

impl SendQueues {
    /// Adds a message; true if nothing stores those of its room yet.
    pub(super) fn push(&self, room: RoomId, waiting: Waiting) -> Result<bool, Refused> {
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

    /// The next batch. Without one the room has no queue any more.
    pub(super) fn next(&self, room: RoomId) -> Option<Vec<Waiting>> {
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

    /// Drops the queue of a room whose batches are not stored any more, so that the next
    /// message starts another.
    pub(super) fn abandon(&self, room: RoomId) {
        self.lock().remove(&room);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RoomId, Vec<Waiting>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
