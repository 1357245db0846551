//! How many failed sign-ins an account may have.

use std::time::Duration;

use time::OffsetDateTime;
use types::SlidingWindow;

/// Failures that an account may have while its limit is lenient. NIST SP 800-63B,
/// section 5.2.2, allows no more.
const LENIENT_LIMIT: usize = 100;

/// How long the limit is lenient after a password reset: time for the owner to sign in
/// with the new password, although an attacker keeps failing.
pub(crate) const LENIENT_FOR: Duration = Duration::from_mins(5);

/// Stops guessing at the password of one account.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignInRateLimit {
    usual: SlidingWindow,
    lenient: SlidingWindow,
}

impl SignInRateLimit {
    /// A limit of so many failures in a sliding window.
    pub(crate) fn new(usual: SlidingWindow) -> Self {
        let lenient = SlidingWindow::new(usual.limit.max(LENIENT_LIMIT), usual.period);
        Self { usual, lenient }
    }

    /// How long a failure counts.
    pub(crate) fn period(&self) -> Duration {
        self.usual.period
    }

    /// Records an attempt as a failure, before it is known whether it is one: concurrent
    /// guesses would otherwise all pass. Returns the failures that count, or how long the
    /// attempt has to wait. `failures` are sorted, oldest first.
    pub(crate) fn record(
        &self,
        failures: &[OffsetDateTime],
        is_lenient: bool,
        now: OffsetDateTime,
    ) -> Result<Vec<OffsetDateTime>, Duration> {
        let window = if is_lenient { &self.lenient } else { &self.usual };
        window.record(failures, now)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn limit() -> SignInRateLimit {
        SignInRateLimit::new(SlidingWindow::new(3, Duration::from_mins(1)))
    }

    fn failures(count: usize) -> Vec<OffsetDateTime> {
        vec![NOW - Duration::from_secs(10); count]
    }

    #[test]
    fn an_attempt_counts_before_it_is_known_to_fail() {
        let recorded = limit().record(&failures(1), false, NOW).unwrap();
        assert_eq!(recorded.last(), Some(&NOW));
        assert_eq!(recorded.len(), 2);
    }

    #[test]
    fn a_lenient_limit_allows_a_hundred_failures() {
        let wait = Err(Duration::from_secs(50));
        assert!(limit().record(&failures(99), true, NOW).is_ok());
        assert_eq!(limit().record(&failures(100), true, NOW), wait);
        assert_eq!(limit().record(&failures(60), false, NOW), wait, "the usual limit is 3");
    }

    #[test]
    fn a_usual_limit_above_a_hundred_is_never_lowered() {
        let generous = SignInRateLimit::new(SlidingWindow::new(200, Duration::from_mins(1)));
        assert!(generous.record(&failures(199), true, NOW).is_ok());
    }
}
