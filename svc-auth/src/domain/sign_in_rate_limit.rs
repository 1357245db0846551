//! How many failed sign-ins an account may have.

use std::time::Duration;

use time::OffsetDateTime;
use types::SlidingWindow;

use super::Standing;

/// Failures that an account may have in a day.
const DAY: SlidingWindow = SlidingWindow::new(30, Duration::from_hours(24));

/// Failures on unknown devices, after which the password has to be reset. NIST SP 800-63B,
/// section 5.2.2, allows no more.
const MOST_ON_UNKNOWN: i32 = 100;

/// How long failures are kept that nothing follows. A stranger who waits for that gets a
/// hundred tries in three months.
const KEPT: Duration = Duration::from_hours(90 * 24);

/// Stops guessing at the password of one account. Failures of devices that the account is known
/// on are counted apart from those of all others, so that strangers cannot lock its owner out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignInRateLimit {
    short: SlidingWindow,
    day: SlidingWindow,
}

/// The failures of an account, by the devices of one standing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Failures {
    /// Times of the failures of the last day, oldest first.
    pub(crate) times: Vec<OffsetDateTime>,
    /// Failures since the last success or reset.
    pub(crate) total: i32,
}

/// Why an account takes no more attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooManyFailures {
    /// The account takes no attempts for this long.
    Wait(Duration),
    /// The account takes no attempts on unknown devices until the password is reset.
    Locked,
}

impl SignInRateLimit {
    /// Limits failures by this sliding window, and by that of a day.
    pub(crate) fn new(short: SlidingWindow) -> Self {
        let day = SlidingWindow::new(DAY.limit.max(short.limit), DAY.period.max(short.period));
        Self { short, day }
    }

    /// How long the failures of devices of this standing are kept.
    pub(crate) fn kept(&self, standing: Standing) -> Duration {
        match standing {
            Standing::Known => self.day.period,
            Standing::Unknown => KEPT.max(self.day.period),
        }
    }

    /// Records an attempt as a failure, before it is known whether it is one: concurrent
    /// guesses would otherwise all pass.
    pub(crate) fn record(
        &self,
        failures: &Failures,
        standing: Standing,
        now: OffsetDateTime,
    ) -> Result<Failures, TooManyFailures> {
        if standing == Standing::Unknown && failures.total >= MOST_ON_UNKNOWN {
            return Err(TooManyFailures::Locked);
        }
        let times = &failures.times;
        let waits = [self.short.wait(times, now), self.day.wait(times, now)];
        if let Some(wait) = waits.into_iter().flatten().max() {
            return Err(TooManyFailures::Wait(wait));
        }
        let times = self.day.counting(times, now).chain([now]).collect();
        Ok(Failures { times, total: failures.total.saturating_add(1) })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);
    const MINUTE: Duration = Duration::from_mins(1);

    fn limit() -> SignInRateLimit {
        SignInRateLimit::new(SlidingWindow::new(3, MINUTE))
    }

    /// Attempts, each as early as the limit allows it; returns how many it allowed until
    /// `until`.
    fn attempts(standing: Standing, until: OffsetDateTime) -> usize {
        let (mut failures, mut now, mut count) = (Failures::default(), NOW, 0);
        while now < until {
            match limit().record(&failures, standing, now) {
                Ok(recorded) => (failures, count) = (recorded, count + 1),
                Err(TooManyFailures::Wait(wait)) => now += wait,
                Err(TooManyFailures::Locked) => break,
            }
        }
        count
    }

    #[test]
    fn an_attempt_counts_before_it_is_known_to_fail() {
        let first = limit().record(&Failures::default(), Standing::Unknown, NOW).unwrap();
        assert_eq!(first, Failures { times: vec![NOW], total: 1 });
    }

    #[test]
    fn a_full_window_waits() {
        let failures = Failures { times: vec![NOW - Duration::from_secs(10); 3], total: 3 };
        let wait = Err(TooManyFailures::Wait(Duration::from_secs(50)));
        for standing in [Standing::Known, Standing::Unknown] {
            assert_eq!(limit().record(&failures, standing, NOW), wait);
        }
    }

    #[test]
    fn a_day_has_thirty_attempts_however_patient_they_are() {
        for standing in [Standing::Known, Standing::Unknown] {
            assert_eq!(attempts(standing, NOW + Duration::from_hours(24)), 30);
        }
    }

    #[test]
    fn strangers_have_a_hundred_attempts_until_the_password_is_reset() {
        let month = NOW + Duration::from_hours(30 * 24);
        assert_eq!(attempts(Standing::Unknown, month), 100);
        assert_eq!(attempts(Standing::Known, month), 30 * 30);
    }

    #[test]
    fn a_generous_limit_is_not_lowered_by_that_of_a_day() {
        let generous = SignInRateLimit::new(SlidingWindow::new(60, MINUTE));
        let failures = Failures { times: vec![NOW - Duration::from_secs(10); 59], total: 59 };
        assert!(generous.record(&failures, Standing::Known, NOW).is_ok());
    }
}
