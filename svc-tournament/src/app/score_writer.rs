//! Writes the scores that wait at the same time together.
//!
//! A commit costs more than the rows in it, so the calls that wait share one: two writers at
//! most take what has come since they began. A score that comes alone waits for none. Each call
//! has its reply after the commit of its own score.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mesh::{Fault, Shutdown, db::Pool};
use tokio::sync::oneshot;
use tracing::Instrument as _;

use crate::{
    domain::{GRACE, NewScore},
    error::Error,
    store::standing,
};

/// Transactions at a time.
const WRITERS: usize = 2;
/// Scores of one transaction.
const BATCH: usize = 64;

/// The `created_xid` of the tournament of a score that was written; `None` if it was not.
type Reply = Result<Option<i64>, Error>;

/// Scores that wait to be written. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ScoreWriter {
    db: Pool,
    shutdown: Shutdown,
    queue: Arc<Mutex<Queue>>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    writers: usize,
}

struct Waiting {
    new: NewScore,
    reply: oneshot::Sender<Reply>,
}

/// One of the writers.
struct Writer {
    scores: ScoreWriter,
    is_done: bool,
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.is_done {
            let mut queue = self.scores.lock();
            queue.writers -= 1;
            if queue.writers == 0 {
                // It panicked, and left these: their callers learn it at once.
                queue.waiting.clear();
            }
        }
    }
}

impl ScoreWriter {
    pub(crate) fn new(db: Pool, shutdown: Shutdown) -> Self {
        Self { db, shutdown, queue: Arc::default() }
    }

    /// Writes a score if it is the player's best; see [`standing::record`].
    pub(crate) async fn write(&self, new: NewScore) -> Reply {
        let (reply, written) = oneshot::channel();
        let is_writer_wanted = {
            let mut queue = self.lock();
            queue.waiting.push(Waiting { new, reply });
            let is_wanted = queue.writers < WRITERS;
            queue.writers += usize::from(is_wanted);
            is_wanted
        };
        if is_writer_wanted {
            let mut writer = Writer { scores: self.clone(), is_done: false };
            let writing = async move { writer.run().await };
            self.shutdown.spawn_contained("write scores", writing.in_current_span());
        }
        written.await.unwrap_or_else(|_| Err(Fault::unavailable().into()))
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// The scores that waited longest, one of a player in a tournament: the others wait on, so
    /// that each has the reply of a score that came after the one before.
    fn take(&mut self) -> Vec<Waiting> {
        let mut taken = HashSet::new();
        let (batch, left) = std::mem::take(&mut self.waiting).into_iter().partition(|one| {
            taken.len() < BATCH && taken.insert((one.new.tournament, one.new.player))
        });
        self.waiting = left;
        batch
    }
}

impl Writer {
    async fn run(&mut self) {
        while let Some(batch) = self.next() {
            self.write(batch).await;
        }
    }

    /// The next batch. Without one this writer is done, in the same lock: who comes afterwards
    /// starts another.
    fn next(&mut self) -> Option<Vec<Waiting>> {
        let mut queue = self.scores.lock();
        let batch = queue.take();
        if batch.is_empty() {
            queue.writers -= 1;
            self.is_done = true;
            return None;
        }
        Some(batch)
    }

    async fn write(&self, batch: Vec<Waiting>) {
        let scores: Vec<NewScore> = batch.iter().map(|one| one.new).collect();
        match self.try_write(&scores).await {
            Ok(written) => {
                for Waiting { new, reply } in batch {
                    let written = written.get(&(new.tournament, new.player)).copied();
                    // The caller may have gone.
                    drop(reply.send(Ok(written)));
                }
            }
            // One of the tournaments was closed meanwhile: it must not take the others along.
            Err(Error::Refused(_)) if batch.len() > 1 => {
                for Waiting { new, reply } in batch {
                    let written = self.try_write(&[new]).await;
                    let written = written.map(|written| written.into_values().next());
                    drop(reply.send(written));
                }
            }
            Err(error) => {
                let mut replies = batch.into_iter().map(|one| one.reply);
                if let Some(first) = replies.next() {
                    drop(first.send(Err(error)));
                }
                // The others see that their sender is gone.
            }
        }
    }

    async fn try_write(&self, scores: &[NewScore]) -> Result<standing::Written, Error> {
        let mut conn = self.scores.db.acquire().await?;
        let written = standing::record(&mut conn, scores, GRACE.as_seconds_f64()).await;
        Ok(written?)
    }
}
