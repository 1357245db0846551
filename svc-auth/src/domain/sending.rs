//! How often codes are sent: to one phone, and to all of them.

use std::time::Duration;

use time::OffsetDateTime;

/// So many within so long; a phone keeps all of these. The first is the pause
/// before a code may be sent again.
const WINDOWS: [(usize, Duration); 3] =
    [(1, Duration::from_mins(1)), (5, Duration::from_hours(1)), (10, Duration::from_hours(24))];

/// How long a sending counts.
pub(crate) const REMEMBERED: Duration = WINDOWS[WINDOWS.len() - 1].1;

/// When codes were sent to one phone, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sendings(Vec<OffsetDateTime>);

impl Sendings {
    /// Those that still count.
    pub(crate) fn new(sent: Vec<OffsetDateTime>, now: OffsetDateTime) -> Self {
        Self(sent.into_iter().filter(|at| *at + REMEMBERED > now).collect())
    }

    /// From when another code may be sent; that may be long ago.
    pub(crate) fn next(&self) -> OffsetDateTime {
        let free = WINDOWS.iter().filter_map(|(most, window)| {
            // A place is free when the oldest of those that fill the window leaves it.
            let oldest = self.0.len().checked_sub(*most)?;
            Some(self.0[oldest] + *window)
        });
        free.max().unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// One more, or how long to wait for it.
    pub(crate) fn push(&mut self, now: OffsetDateTime) -> Result<(), Duration> {
        match Duration::try_from(self.next() - now) {
            Ok(wait) if wait > Duration::ZERO => Err(wait),
            _ => {
                self.0.push(now);
                Ok(())
            }
        }
    }

    /// What a database column holds.
    pub(crate) fn as_slice(&self) -> &[OffsetDateTime] {
        &self.0
    }
}

/// What all codes together may cost, in messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// In an hour of the clock.
    pub(crate) hour: i64,
    /// In 24 of them, this one included.
    pub(crate) day: i64,
}

/// What was sent, this one included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spent {
    pub(crate) hour: i64,
    pub(crate) day: i64,
}

impl Budget {
    /// Whether there was money for it.
    pub(crate) fn covers(self, spent: Spent) -> bool {
        spent.hour <= self.hour && spent.day <= self.day
    }

    /// How many times the usual work a captcha is, by what this hour has spent: whoever
    /// would spend all of it pays more and more, and players a second or two.
    pub(crate) fn captcha_factor(self, spent_this_hour: i64) -> u32 {
        match spent_this_hour.saturating_mul(4) {
            quarters if quarters >= self.hour.saturating_mul(3) => 8,
            quarters if quarters >= self.hour => 2,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn ago(minutes: &[u64]) -> Sendings {
        Sendings::new(minutes.iter().map(|m| NOW - Duration::from_mins(*m)).collect(), NOW)
    }

    #[test]
    fn the_first_is_sent_at_once_and_the_next_after_a_minute() {
        let mut sendings = ago(&[]);
        assert_eq!(sendings.push(NOW), Ok(()));
        assert_eq!(sendings.next(), NOW + Duration::from_mins(1));
        assert_eq!(sendings.push(NOW + Duration::from_secs(59)), Err(Duration::from_secs(1)));
        assert_eq!(sendings.push(NOW + Duration::from_mins(1)), Ok(()));
    }

    #[test]
    fn the_sixth_in_an_hour_waits_until_the_first_is_an_hour_old() {
        let mut sendings = ago(&[50, 40, 30, 20, 10]);
        assert_eq!(sendings.push(NOW), Err(Duration::from_mins(10)));
        assert_eq!(ago(&[60, 40, 30, 20, 10]).push(NOW), Ok(()));
    }

    #[test]
    fn the_eleventh_in_a_day_waits_until_the_first_is_a_day_old() {
        let sent = [1_430, 1_300, 1_200, 1_100, 1_000, 900, 800, 700, 600, 500];
        assert_eq!(ago(&sent).push(NOW), Err(Duration::from_mins(10)));
        assert_eq!(
            ago(&[1_440, 1_300, 1_200, 1_100, 1_000, 900, 800, 700, 600, 500]).push(NOW),
            Ok(())
        );
    }

    #[test]
    fn after_the_fifth_the_next_is_an_hour_away_and_not_a_minute() {
        let mut sendings = ago(&[40, 30, 20, 10]);
        assert_eq!(sendings.push(NOW), Ok(()));
        assert_eq!(sendings.next(), NOW + Duration::from_mins(20));
    }

    #[test]
    fn what_is_older_than_a_day_is_forgotten() {
        assert_eq!(ago(&[1_440, 10]).as_slice().len(), 1);
    }

    #[test]
    fn captchas_are_dearer_the_more_was_spent() {
        let budget = Budget { hour: 1_000, day: 10_000 };
        for (spent, factor) in [(0, 1), (249, 1), (250, 2), (749, 2), (750, 8), (1_000, 8)] {
            assert_eq!(budget.captcha_factor(spent), factor, "{spent}");
        }
    }

    #[test]
    fn a_budget_covers_its_last_message_and_not_one_more() {
        let budget = Budget { hour: 3, day: 5 };
        for (hour, day, covered) in [(3, 5, true), (4, 4, false), (1, 6, false)] {
            assert_eq!(budget.covers(Spent { hour, day }), covered, "{hour} {day}");
        }
    }
}
