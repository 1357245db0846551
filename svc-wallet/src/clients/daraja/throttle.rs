//! The rate limit of our queries: Daraja refuses calls that come too fast.

use std::time::Duration;

use tokio::{
    sync::Mutex,
    time::{Instant, sleep_until},
};

/// Spaces calls evenly, in the order in which they come. Unused time is not saved up.
pub(super) struct Throttle {
    interval: Duration,
    next: Mutex<Instant>,
}

impl Throttle {
    pub(super) fn new(per_second: u32) -> Self {
        Self {
            interval: Duration::from_secs(1) / per_second.max(1),
            next: Mutex::new(Instant::now()),
        }
    }

    /// Waits until the caller may call.
    pub(super) async fn wait(&self) {
        sleep_until(self.reserve(Instant::now()).await).await;
    }

    /// Reserves the next free time for a call.
    async fn reserve(&self, now: Instant) -> Instant {
        let mut next = self.next.lock().await;
        let reserved = now.max(*next);
        *next = reserved + self.interval;
        reserved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn calls_are_an_interval_apart_and_unused_time_is_not_saved_up() {
        let throttle = Throttle::new(10);
        let interval = Duration::from_millis(100);
        let now = Instant::now() + Duration::from_hours(1);
        for many in 0..3 {
            assert_eq!(throttle.reserve(now).await, now + interval * many);
        }
        let later = now + Duration::from_secs(5);
        assert_eq!(throttle.reserve(later).await, later);
        assert_eq!(throttle.reserve(later).await, later + interval);
    }
}
