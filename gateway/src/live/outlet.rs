//! The reader's end of a live stream: bounded, and with a last word.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use proto::live::v1::LiveEvent;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::Stream;
use tonic::Status;

/// Events that may wait for a reader before it is cut.
const BACKLOG: usize = 64;

/// The pump's end.
pub(super) struct Inlet {
    events: mpsc::Sender<LiveEvent>,
    last_word: oneshot::Sender<Status>,
}

/// What the reader reads.
pub(super) struct Outlet {
    events: mpsc::Receiver<LiveEvent>,
    last_word: oneshot::Receiver<Status>,
}

/// Why an event could not be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missed {
    /// The reader does not keep up.
    Behind,
    /// The reader is gone.
    Gone,
}

/// Both ends.
pub(super) fn pair() -> (Inlet, Outlet) {
    let (event_sender, events) = mpsc::channel(BACKLOG);
    let (word_sender, last_word) = oneshot::channel();
    let inlet = Inlet { events: event_sender, last_word: word_sender };
    (inlet, Outlet { events, last_word })
}

impl Inlet {
    /// Puts an event where the reader finds it; never waits.
    pub(super) fn offer(&self, event: LiveEvent) -> Result<(), Missed> {
        self.events.try_send(event).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Missed::Behind,
            mpsc::error::TrySendError::Closed(_) => Missed::Gone,
        })
    }

    /// Waits until the reader is gone.
    pub(super) async fn gone(&self) {
        self.events.closed().await;
    }

    /// Ends the stream, after what still waits in it: with a status, or with OK.
    pub(super) fn end(self, status: Option<Status>) {
        if let Some(status) = status {
            // A reader that is gone needs no last word.
            let _ = self.last_word.send(status);
        }
    }
}

impl Stream for Outlet {
    type Item = Result<LiveEvent, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(match ready!(self.events.poll_recv(cx)) {
            Some(event) => Some(Ok(event)),
            // Spoken before the last sender was dropped, so it is here by now.
            None => self.last_word.try_recv().ok().map(Err),
        })
    }
}

#[cfg(test)]
mod tests {
    use tokio_stream::StreamExt;

    use super::*;

    #[tokio::test]
    async fn what_waits_is_read_before_the_last_word() {
        let (inlet, mut outlet) = pair();
        inlet.offer(LiveEvent::default()).unwrap();
        inlet.end(Some(Status::unavailable("bye")));
        assert!(outlet.next().await.unwrap().is_ok());
        let last = outlet.next().await.unwrap().unwrap_err();
        assert_eq!(last.message(), "bye");
        assert!(outlet.next().await.is_none());
    }

    #[tokio::test]
    async fn without_a_last_word_it_ended_well() {
        let (inlet, mut outlet) = pair();
        inlet.end(None);
        assert!(outlet.next().await.is_none());
    }

    #[tokio::test]
    async fn a_reader_falls_behind_or_is_gone() {
        let (inlet, outlet) = pair();
        for _ in 0..BACKLOG {
            inlet.offer(LiveEvent::default()).unwrap();
        }
        assert_eq!(inlet.offer(LiveEvent::default()), Err(Missed::Behind));
        drop(outlet);
        assert_eq!(inlet.offer(LiveEvent::default()), Err(Missed::Gone));
        inlet.gone().await;
    }
}
