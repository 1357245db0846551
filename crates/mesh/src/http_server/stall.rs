//! Resets HTTP/2 streams whose reader takes nothing.
//!
//! Over HTTP/1 the kernel closes the connection (`TCP_USER_TIMEOUT`). Over HTTP/2 a client
//! can close the window of one stream and go on with the others, so each call has a timer
//! there: it runs while a piece of the reply is offered and the next is not asked for. A
//! reply that has no piece for now, such as a live stream between two events, is not timed.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use hyper::rt::Executor;
use tokio::time::{Instant, sleep_until};
use tracing::debug;

use crate::Shutdown;

tokio::task_local! {
    static OFFER: Offer;
}

/// The time since which a piece of this call's reply waits for its reader.
#[derive(Clone, Default)]
struct Offer(Arc<Mutex<Option<Instant>>>);

/// Records that hyper asks for the next piece of the reply: the reader has taken those before.
pub(super) fn asked() {
    note(None);
}

/// Records that a piece was handed to hyper.
pub(super) fn offered() {
    note(Some(Instant::now()));
}

fn note(since: Option<Instant>) {
    // `OFFER` is not set over HTTP/1.
    let _ = OFFER.try_with(|offer| *offer.lock() = since);
}

/// The executor of an HTTP/2 connection's calls: each runs until its reader stalls.
#[derive(Clone)]
pub(super) struct StallLimit {
    pub(super) limit: Duration,
    pub(super) stop: Shutdown,
}

impl<F> Executor<F> for StallLimit
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, call: F) {
        let (offer, limit) = (Offer::default(), self.limit);
        let call = Box::pin(OFFER.scope(offer.clone(), call));
        self.stop.spawn_contained("call", async move {
            tokio::select! {
                () = call => {}
                // Dropping the call resets the stream.
                () = offer.stalled(limit) => debug!("a stream was reset: its reader stalled"),
            }
        });
    }
}

impl Offer {
    /// Waits until a piece was offered for `limit` and not taken.
    async fn stalled(&self, limit: Duration) {
        loop {
            let since = *self.lock();
            let over = since.unwrap_or_else(Instant::now) + limit;
            if over <= Instant::now() {
                return;
            }
            sleep_until(over).await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_a_piece_in_time_is_not_reset() {
        let (minute, just_in_time) = (Duration::from_mins(1), Duration::from_secs(59));
        let offer = Offer::default();
        let taking = {
            let offer = offer.clone();
            OFFER.scope(offer, async move {
                for _ in 0..5 {
                    offered();
                    tokio::time::sleep(just_in_time).await;
                    asked();
                }
                // Nothing is offered for a while, and then another piece.
                tokio::time::sleep(minute * 10).await;
                offered();
            })
        };
        let begun = Instant::now();
        tokio::join!(taking, offer.stalled(minute));
        assert_eq!(begun.elapsed(), just_in_time * 5 + minute * 11);
    }
}
