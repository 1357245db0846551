//! A sliding window: the one rule behind every limit of the form "at most so many
//! in so long".

use std::{collections::VecDeque, time::Duration};

use time::OffsetDateTime;

/// At most `limit` events in any `period`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlidingWindow {
    /// Events that are allowed within the period; at least 1.
    pub limit: usize,
    /// How long an event counts.
    pub period: Duration,
}

impl SlidingWindow {
    /// A limit of `limit` events in `period`. A limit of 0 is taken as 1.
    pub const fn new(limit: usize, period: Duration) -> Self {
        Self { limit: if limit == 0 { 1 } else { limit }, period }
    }

    /// The events that still count at `now`, in the order given.
    pub fn counting<'a>(
        &self,
        events: &'a [OffsetDateTime],
        now: OffsetDateTime,
    ) -> impl Iterator<Item = OffsetDateTime> + use<'a> {
        let period = self.period;
        events.iter().copied().filter(move |at| *at + period > now)
    }

    /// How long the next event has to wait, or `None` when it is allowed at `now`.
    /// `events` are sorted, oldest first.
    pub fn wait(&self, events: &[OffsetDateTime], now: OffsetDateTime) -> Option<Duration> {
        // The oldest of the newest `limit` events must have left the window.
        let oldest = events.len().checked_sub(self.limit).and_then(|at| events.get(at))?;
        let wait = Duration::try_from(*oldest + self.period - now).unwrap_or_default();
        (wait > Duration::ZERO).then_some(wait)
    }

    /// Adds an event at `now` and drops those that no longer count, or says how long
    /// the event has to wait. `events` are sorted, oldest first.
    pub fn record(
        &self,
        events: &[OffsetDateTime],
        now: OffsetDateTime,
    ) -> Result<Vec<OffsetDateTime>, Duration> {
        match self.wait(events, now) {
            Some(wait) => Err(wait),
            None => Ok(self.counting(events, now).chain([now]).collect()),
        }
    }

    /// Records an event in place, at a cost that does not grow with the limit. Events that no
    /// longer count are dropped also when this one has to wait.
    pub fn record_in(
        &self,
        events: &mut VecDeque<OffsetDateTime>,
        now: OffsetDateTime,
    ) -> Result<(), Duration> {
        while events.front().is_some_and(|at| *at + self.period <= now) {
            events.pop_front();
        }
        if let Some(oldest) = events.len().checked_sub(self.limit).and_then(|at| events.get(at)) {
            return Err(Duration::try_from(*oldest + self.period - now).unwrap_or_default());
        }
        events.push_back(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::datetime;

    use super::*;

    const WINDOW: SlidingWindow = SlidingWindow::new(3, Duration::from_mins(1));
    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn ago(seconds: u64) -> OffsetDateTime {
        NOW - Duration::from_secs(seconds)
    }

    #[test]
    fn allows_events_up_to_the_limit() {
        assert_eq!(WINDOW.record(&[ago(10)], NOW), Ok(vec![ago(10), NOW]));
    }

    #[test]
    fn a_full_window_returns_the_wait() {
        let events = [ago(40), ago(30), ago(20)];
        assert_eq!(WINDOW.record(&events, NOW), Err(Duration::from_secs(20)));
    }

    #[test]
    fn a_window_that_is_over_full_waits_for_the_newest_events() {
        let events = [ago(50), ago(40), ago(30), ago(20)];
        assert_eq!(WINDOW.wait(&events, NOW), Some(Duration::from_secs(20)));
    }

    #[test]
    fn events_older_than_the_period_are_dropped() {
        let events = [ago(60), ago(30), ago(20)];
        assert_eq!(WINDOW.record(&events, NOW), Ok(vec![ago(30), ago(20), NOW]));
    }

    proptest! {
        #[test]
        fn never_allows_more_than_the_limit_in_any_period(
            steps in proptest::collection::vec(0_u64..40, 1..60)
        ) {
            let (mut events, mut allowed, mut now) = (Vec::new(), Vec::new(), NOW);
            let mut in_place = VecDeque::new();
            for step in steps {
                now += Duration::from_secs(step);
                let recorded = WINDOW.record(&events, now);
                prop_assert_eq!(
                    WINDOW.record_in(&mut in_place, now),
                    recorded.as_ref().map(|_| ()).map_err(|wait| *wait)
                );
                if let Ok(recorded) = recorded {
                    prop_assert_eq!(&in_place, &VecDeque::from(recorded.clone()));
                    events = recorded;
                    allowed.push(now);
                }
                let within = allowed.iter().filter(|at| **at + WINDOW.period > now).count();
                prop_assert!(within <= WINDOW.limit);
            }
        }
    }
}
