//! How fast Daraja is asked: it turns away who comes too fast.

use std::time::Duration;

use tokio::{
    sync::Mutex,
    time::{Instant, sleep_until},
};

/// Turns at even distances, for whoever comes, in the order in which they come.
pub(super) struct Pace {
    gap: Duration,
    next: Mutex<Instant>,
}

impl Pace {
    pub(super) fn new(per_second: u32) -> Self {
        Self { gap: Duration::from_secs(1) / per_second.max(1), next: Mutex::new(Instant::now()) }
    }

    /// Waits for one's turn.
    pub(super) async fn turn(&self) {
        sleep_until(self.take(Instant::now()).await).await;
    }

    async fn take(&self, now: Instant) -> Instant {
        let mut next = self.next.lock().await;
        let turn = now.max(*next);
        *next = turn + self.gap;
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turns_are_a_gap_apart_and_quiet_saves_none_up() {
        let pace = Pace::new(10);
        let gap = Duration::from_millis(100);
        let now = Instant::now() + Duration::from_hours(1);
        for many in 0..3 {
            assert_eq!(pace.take(now).await, now + gap * many);
        }
        let later = now + Duration::from_secs(5);
        assert_eq!(pace.take(later).await, later);
        assert_eq!(pace.take(later).await, later + gap);
    }
}
