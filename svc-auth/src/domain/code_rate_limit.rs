//! How many codes one phone is sent.

use std::time::Duration;

use time::OffsetDateTime;
use types::SlidingWindow;

/// The limits of one phone; all of them hold. They stop SMS bombing: flooding a
/// stranger's phone with codes.
const WINDOWS: [SlidingWindow; 3] = [
    SlidingWindow::new(1, Duration::from_mins(1)),
    SlidingWindow::new(5, Duration::from_hours(1)),
    LONGEST,
];

const LONGEST: SlidingWindow = SlidingWindow::new(10, Duration::from_hours(24));

/// Limits the codes of one phone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CodeRateLimit;

impl CodeRateLimit {
    /// How long a code counts.
    pub(crate) const PERIOD: Duration = LONGEST.period;

    /// Records a code that is sent now. Returns the times of all codes that count, or how
    /// long this one has to wait. `sent` is sorted, oldest first.
    pub(crate) fn record(
        sent: &[OffsetDateTime],
        now: OffsetDateTime,
    ) -> Result<Vec<OffsetDateTime>, Duration> {
        match Self::wait(sent, now) {
            Some(wait) => Err(wait),
            None => LONGEST.record(sent, now),
        }
    }

    /// When the next code may be sent, at the earliest.
    pub(crate) fn resend_at(sent: &[OffsetDateTime], now: OffsetDateTime) -> OffsetDateTime {
        now + Self::wait(sent, now).unwrap_or_default()
    }

    fn wait(sent: &[OffsetDateTime], now: OffsetDateTime) -> Option<Duration> {
        WINDOWS.iter().filter_map(|window| window.wait(sent, now)).max()
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn ago(minutes: &[u64]) -> Vec<OffsetDateTime> {
        minutes.iter().map(|m| NOW - Duration::from_mins(*m)).collect()
    }

    #[test]
    fn the_first_code_is_sent_at_once_and_the_next_after_a_minute() {
        let sent = CodeRateLimit::record(&[], NOW).unwrap();
        assert_eq!(CodeRateLimit::resend_at(&sent, NOW), NOW + Duration::from_mins(1));
        let early = NOW + Duration::from_secs(59);
        assert_eq!(CodeRateLimit::record(&sent, early), Err(Duration::from_secs(1)));
        assert!(CodeRateLimit::record(&sent, NOW + Duration::from_mins(1)).is_ok());
    }

    #[test]
    fn the_sixth_code_in_an_hour_waits_until_the_first_is_an_hour_old() {
        let sent = ago(&[50, 40, 30, 20, 10]);
        assert_eq!(CodeRateLimit::record(&sent, NOW), Err(Duration::from_mins(10)));
        assert!(CodeRateLimit::record(&ago(&[60, 40, 30, 20, 10]), NOW).is_ok());
    }

    #[test]
    fn the_eleventh_code_in_a_day_waits_until_the_first_is_a_day_old() {
        let sent = ago(&[1_430, 1_300, 1_200, 1_100, 1_000, 900, 800, 700, 600, 500]);
        assert_eq!(CodeRateLimit::record(&sent, NOW), Err(Duration::from_mins(10)));
        let sent = ago(&[1_440, 1_300, 1_200, 1_100, 1_000, 900, 800, 700, 600, 500]);
        assert!(CodeRateLimit::record(&sent, NOW).is_ok());
    }

    #[test]
    fn after_the_fifth_code_the_hourly_limit_decides_when_to_resend() {
        let sent = CodeRateLimit::record(&ago(&[40, 30, 20, 10]), NOW).unwrap();
        assert_eq!(CodeRateLimit::resend_at(&sent, NOW), NOW + Duration::from_mins(20));
    }

    #[test]
    fn codes_older_than_a_day_are_dropped() {
        assert_eq!(CodeRateLimit::record(&ago(&[1_440, 10]), NOW).unwrap().len(), 2);
    }
}
