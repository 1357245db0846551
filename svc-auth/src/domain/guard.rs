//! How often an account may be tried.

use std::time::Duration;

use time::OffsetDateTime;

/// So many failures within a window, then a pause.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard {
    /// Failures that are let through.
    pub(crate) failures: usize,
    /// How long a failure counts.
    pub(crate) window: Duration,
}

/// What becomes of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Go on; these are the failures that count if this one fails too.
    Try(Vec<OffsetDateTime>),
    /// Not before this time has passed.
    Wait(Duration),
}

impl Guard {
    /// Judges a try by the failures so far, oldest first. The try counts as a
    /// failure until it proves to be none: a hundred guesses at once would
    /// otherwise all see the same clean slate.
    pub(crate) fn judge(&self, failures: &[OffsetDateTime], now: OffsetDateTime) -> Verdict {
        let mut counting: Vec<_> =
            failures.iter().copied().filter(|at| *at + self.window > now).collect();
        if counting.len() < self.failures {
            counting.push(now);
            return Verdict::Try(counting);
        }
        // A place is free when the oldest of those that fill the window leaves it.
        let leaves = counting[counting.len() - self.failures] + self.window;
        Verdict::Wait((leaves - now).try_into().unwrap_or(Duration::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const GUARD: Guard = Guard { failures: 3, window: Duration::from_mins(1) };
    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn ago(seconds: u64) -> OffsetDateTime {
        NOW - Duration::from_secs(seconds)
    }

    #[test]
    fn a_try_counts_before_it_is_known_to_fail() {
        assert_eq!(GUARD.judge(&[ago(10)], NOW), Verdict::Try(vec![ago(10), NOW]));
    }

    #[test]
    fn a_full_window_says_when_a_place_is_free() {
        let failures = [ago(40), ago(30), ago(20)];
        assert_eq!(GUARD.judge(&failures, NOW), Verdict::Wait(Duration::from_secs(20)));
    }

    #[test]
    fn what_is_older_than_the_window_is_forgotten() {
        let failures = [ago(60), ago(30), ago(20)];
        assert_eq!(GUARD.judge(&failures, NOW), Verdict::Try(vec![ago(30), ago(20), NOW]));
    }
}
