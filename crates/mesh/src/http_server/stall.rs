//! Gives up replies that nobody reads.
//!
//! Over HTTP/1 the kernel does that: bytes that wait are bytes of the connection.
//! Over HTTP/2 a reader can shut one stream's window and be as lively as it likes
//! otherwise, so each call there has a clock of its own, which runs while a part of
//! the reply is offered and no more is asked for. A reply that has nothing to say for
//! now, as a live stream's between its news, is nobody's fault.

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

/// Since when a part of this call's reply waits for its reader.
#[derive(Clone, Default)]
struct Offer(Arc<Mutex<Option<Instant>>>);

/// The reader asks for the next part of the reply in hand.
pub(super) fn asked() {
    note(None);
}

/// A part of it was handed over.
pub(super) fn offered() {
    note(Some(Instant::now()));
}

fn note(since: Option<Instant>) {
    // Over HTTP/1 there is nobody to tell.
    let _ = OFFER.try_with(|offer| *offer.lock() = since);
}

/// Runs each call of an HTTP/2 connection, for as long as its reader reads.
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
        self.stop.spawn_contained("call", async move {
            tokio::select! {
                () = OFFER.scope(offer.clone(), call) => {}
                // With it goes the stream, which is reset.
                () = offer.stalled(limit) => debug!("a reply was given up: nobody reads it"),
            }
        });
    }
}

impl Offer {
    /// Waits until nobody took what was offered for so long.
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
    async fn whoever_takes_a_little_now_and_then_is_waited_for() {
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
                // Then there is nothing to be taken for a while, and then something.
                tokio::time::sleep(minute * 10).await;
                offered();
            })
        };
        let begun = Instant::now();
        tokio::join!(taking, offer.stalled(minute));
        assert_eq!(begun.elapsed(), just_in_time * 5 + minute * 11);
    }
}
