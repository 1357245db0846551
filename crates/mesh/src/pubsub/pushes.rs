//! The queue between the connection to Redis and the subscribers.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use redis::{PushInfo, aio::SendError};
use tokio::sync::mpsc::{self, Receiver, error::TrySendError};

/// Most messages that wait to be dispatched; more are dropped. Dispatching waits for nothing but
/// Redis's replies, so these are the messages of two seconds at most.
const BACKLOG: usize = 8192;

/// What Redis pushed.
#[derive(Debug)]
pub(super) enum Push {
    Info(PushInfo),
    /// Some messages were dropped, because they came faster than they were dispatched.
    Overflow,
}

/// The receiving end of the queue.
pub(super) struct Pushes {
    infos: Receiver<PushInfo>,
    overflowed: Arc<AtomicBool>,
}

/// Returns a function to which the connection hands its messages, and the receiving end. The
/// function never waits.
pub(super) fn queue() -> (impl Fn(PushInfo) -> Result<(), SendError> + Send + Sync + 'static, Pushes)
{
    let (sender, infos) = mpsc::channel(BACKLOG);
    let overflowed = Arc::new(AtomicBool::new(false));
    let pushes = Pushes { infos, overflowed: Arc::clone(&overflowed) };
    let send = move |info| match sender.try_send(info) {
        Ok(()) => Ok(()),
        Err(TrySendError::Full(_)) => {
            overflowed.store(true, Ordering::SeqCst);
            Ok(())
        }
        Err(TrySendError::Closed(_)) => Err(SendError),
    };
    (send, pushes)
}

impl Pushes {
    /// Returns the next push; `None` when the connection is gone.
    pub(super) async fn next(&mut self) -> Option<Push> {
        if self.overflowed.swap(false, Ordering::SeqCst) {
            // The messages that still wait are older than those that were dropped.
            while self.infos.try_recv().is_ok() {}
            return Some(Push::Overflow);
        }
        self.infos.recv().await.map(Push::Info)
    }
}

#[cfg(test)]
mod tests {
    use redis::PushKind;

    use super::*;

    fn push() -> PushInfo {
        PushInfo { kind: PushKind::PMessage, data: Vec::new() }
    }

    #[tokio::test]
    async fn a_queue_that_is_full_drops_all_and_says_so() {
        let (send, mut pushes) = queue();
        for _ in 0..=BACKLOG {
            send(push()).unwrap();
        }
        assert!(matches!(pushes.next().await, Some(Push::Overflow)));
        send(push()).unwrap();
        assert!(matches!(pushes.next().await, Some(Push::Info(_))));
        drop(send);
        assert!(pushes.next().await.is_none());
    }
}
