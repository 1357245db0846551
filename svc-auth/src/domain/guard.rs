//! How often an account may be tried.

use std::time::Duration;

use time::OffsetDateTime;

/// Failures that are let through while an account is spared; what NIST's SP 800-63B
/// allows at all.
const SPARED_FAILURES: usize = 100;

/// How long an account is spared after its owner has set a new password by mail: long
/// enough to sign in with it, whoever else tries.
pub(crate) const SPARED_FOR: Duration = Duration::from_mins(5);

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
    /// The same for an account that is spared.
    pub(crate) fn sparing(self) -> Self {
        Self { failures: self.failures.max(SPARED_FAILURES), ..self }
    }

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
    fn who_is_spared_may_fail_a_hundred_times() {
        let failures = |count| vec![ago(10); count];
        assert!(matches!(GUARD.sparing().judge(&failures(99), NOW), Verdict::Try(_)));
        let wait = Verdict::Wait(Duration::from_secs(50));
        assert_eq!(GUARD.sparing().judge(&failures(100), NOW), wait);
        assert_eq!(GUARD.judge(&failures(60), NOW), wait, "and then counts as anybody does");
    }

    #[test]
    fn what_is_older_than_the_window_is_forgotten() {
        let failures = [ago(60), ago(30), ago(20)];
        assert_eq!(GUARD.judge(&failures, NOW), Verdict::Try(vec![ago(30), ago(20), NOW]));
    }
}
