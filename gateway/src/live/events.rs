//! The queue between a live stream's source and its reader: bounded, and ended with a
//! status.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
    vec,
};

use bytes::Bytes;
use proto::{
    encode,
    live::v1::{LiveEvent, live_event::Event},
};
use tokio::sync::{
    mpsc::{
        self,
        error::{SendTimeoutError, TrySendError},
    },
    oneshot,
};
use tokio_stream::Stream;
use tonic::Status;

/// Most events and batches of messages that wait for a reader.
const BACKLOG: usize = 32;
/// How long a reader may leave a full queue before its stream is ended. Meanwhile the
/// source waits: it may send the messages of a day, faster than any connection takes them.
const BEHIND_LIMIT: Duration = Duration::from_secs(5);

/// [`LiveEvent`]s that come together, each encoded. A boxed slice is small: an empty queue has
/// room for 32 or 64, and there are thousands of queues.
#[derive(Debug)]
pub(super) struct EncodedEvents(Box<[Bytes]>);

/// The source's end of the queue.
pub(super) struct EventSender {
    events: mpsc::Sender<EncodedEvents>,
    final_status: oneshot::Sender<Status>,
}

/// The reader's end of the queue.
pub(super) struct EventReceiver {
    events: mpsc::Receiver<EncodedEvents>,
    /// Events that came together with the last one that was read.
    next: vec::IntoIter<Bytes>,
    final_status: oneshot::Receiver<Status>,
}

/// Why events were not queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missed {
    /// The queue stays full: the reader is too slow.
    Behind,
    /// The reader is gone.
    Gone,
}

impl EncodedEvents {
    /// Events that another process has encoded.
    pub(super) fn of_service(encoded: Vec<Bytes>) -> Self {
        Self(encoded.into())
    }
}

impl From<Event> for EncodedEvents {
    fn from(event: Event) -> Self {
        Self(Box::new([encode(&LiveEvent { event: Some(event) })]))
    }
}

/// Both ends of a queue.
pub(super) fn channel() -> (EventSender, EventReceiver) {
    let (event_sender, events) = mpsc::channel(BACKLOG);
    let (status_sender, final_status) = oneshot::channel();
    let sender = EventSender { events: event_sender, final_status: status_sender };
    (sender, EventReceiver { events, next: vec::IntoIter::default(), final_status })
}

impl EventSender {
    /// Queues events; waits for a reader that is slow.
    pub(super) async fn send(&self, events: EncodedEvents) -> Result<(), Missed> {
        // No timer is set where the queue has room.
        let events = match self.events.try_send(events) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Closed(_)) => return Err(Missed::Gone),
            Err(TrySendError::Full(events)) => events,
        };
        self.events.send_timeout(events, BEHIND_LIMIT).await.map_err(|error| match error {
            SendTimeoutError::Timeout(_) => Missed::Behind,
            SendTimeoutError::Closed(_) => Missed::Gone,
        })
    }

    /// Waits until the reader is gone.
    pub(super) async fn closed(&self) {
        self.events.closed().await;
    }

    /// Ends the stream after the queued events: with a status, or with OK.
    pub(super) fn end(self, status: Option<Status>) {
        if let Some(status) = status {
            // Sending fails if the reader is gone.
            let _ = self.final_status.send(status);
        }
    }
}

impl Stream for EventReceiver {
    type Item = Result<Bytes, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(event) = self.next.next() {
                return Poll::Ready(Some(Ok(event)));
            }
            match ready!(self.events.poll_recv(cx)) {
                Some(events) => self.next = events.0.into_vec().into_iter(),
                // The status was sent before the event sender was dropped, so it is here by now.
                None => return Poll::Ready(self.final_status.try_recv().ok().map(Err)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proto::live::v1::Hello;
    use tokio_stream::StreamExt;

    use super::*;

    fn hello() -> EncodedEvents {
        Event::Hello(Hello::default()).into()
    }

    #[tokio::test]
    async fn queued_events_are_read_before_the_final_status() {
        let (sender, mut receiver) = channel();
        sender.send(hello()).await.unwrap();
        let together = ["1", "2", "3"].map(Bytes::from);
        sender.send(EncodedEvents::of_service(together.to_vec())).await.unwrap();
        sender.end(Some(Status::unavailable("bye")));
        assert!(receiver.next().await.unwrap().is_ok());
        for event in together {
            assert_eq!(receiver.next().await.unwrap().unwrap(), event);
        }
        let last = receiver.next().await.unwrap().unwrap_err();
        assert_eq!(last.message(), "bye");
        assert!(receiver.next().await.is_none());
    }

    #[tokio::test]
    async fn a_stream_without_a_final_status_ends_with_ok() {
        let (sender, mut receiver) = channel();
        sender.end(None);
        assert!(receiver.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_differs_from_a_reader_that_is_gone() {
        let (sender, receiver) = channel();
        for _ in 0..BACKLOG {
            sender.send(hello()).await.unwrap();
        }
        assert_eq!(sender.send(hello()).await, Err(Missed::Behind));
        drop(receiver);
        assert_eq!(sender.send(hello()).await, Err(Missed::Gone));
        sender.closed().await;
    }
}
