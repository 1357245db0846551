//! Time as an argument.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use time::OffsetDateTime;

/// A clock: the system's, or one that a test sets.
///
/// Cheap to clone; clones of a settable clock move together. Times are UTC.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    /// Microseconds since the epoch: what Postgres keeps, so that a time read
    /// back equals the time written.
    Settable(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's own clock.
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that moves only by [`advance`](Self::advance).
    pub fn settable(at: OffsetDateTime) -> Self {
        Self(Source::Settable(Arc::new(AtomicI64::new(micros(at)))))
    }

    /// Now, in UTC, to the microsecond.
    pub fn now(&self) -> OffsetDateTime {
        let micros = match &self.0 {
            Source::System => micros(system_now()),
            Source::Settable(at) => at.load(Ordering::SeqCst),
        };
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// Moves a settable clock forward. Has no effect on the system's clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Settable(at) = &self.0 {
            let by = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
            at.fetch_add(by, Ordering::SeqCst);
        }
    }
}

fn micros(at: OffsetDateTime) -> i64 {
    i64::try_from(at.unix_timestamp_nanos() / 1_000).unwrap_or(i64::MAX)
}

#[expect(clippy::disallowed_methods, reason = "the one place where the machine's clock is read")]
fn system_now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_a_settable_clock_move_together() {
        let clock = Clock::settable(OffsetDateTime::UNIX_EPOCH);
        let other = clock.clone();
        clock.advance(Duration::from_secs(90));
        assert_eq!(other.now().unix_timestamp(), 90);
    }

    #[test]
    fn advance_has_no_effect_on_the_system_clock() {
        let clock = Clock::system();
        let before = clock.now();
        clock.advance(Duration::from_hours(1));
        assert!(clock.now() - before < Duration::from_hours(1));
    }
}
