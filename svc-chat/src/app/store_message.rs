//! Stores messages: those of a room that wait at the same time by one statement.

use std::collections::HashMap;

use anyhow::anyhow;
use mesh::Fault;
use tokio::sync::oneshot;
use tracing::{Instrument as _, Span, info_span};

use super::{
    Cx,
    send_queue::{SendQueues, Waiting},
};
use crate::{
    domain::{MessageId, NewMessage, RoomId},
    error::Error,
    store,
};

/// Stores a message together with those of its room that wait, and returns its number.
///
/// It is stored, too, when the caller has gone: a repeat of the call finds it.
pub(super) async fn store_message(
    cx: &Cx,
    room: RoomId,
    message: NewMessage,
) -> Result<Option<u64>, Error> {
    let (stored, number) = oneshot::channel();
    if cx.send_queues.push(room, Waiting { message, stored })? {
        // A trace of its own, because messages of several calls are stored.
        let span = info_span!(parent: None, "chat.store_messages", room.id = %room);
        span.follows_from(Span::current());
        let own = cx.clone();
        let storing = async move { run(&own, room).await };
        cx.shutdown.spawn_contained("store messages", storing.instrument(span));
    }
    match number.await {
        Ok(Ok(number)) => Ok(number),
        Ok(Err(fault)) => Err(fault.into()),
        // The task panicked, or the process stops.
        Err(_) => Err(anyhow!("messages were not stored").into()),
    }
}

/// Stores batches until none waits.
async fn run(cx: &Cx, room: RoomId) {
    let _abandoned = Abandon { queues: &cx.send_queues, room };
    while let Some(batch) = cx.send_queues.next(room) {
        store_batch(cx, room, batch).await;
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
            self.queues.abandon(self.room);
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
