//! How often a phone may be rung in vain. Whoever types a number need not own it,
//! so the limit is the phone's, whoever pays.

use std::time::Duration;

use time::OffsetDateTime;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// The patience of a phone's owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Prompts in an hour that nobody paid.
    pub an_hour: u16,
    /// Prompts in a day that nobody paid.
    pub a_day: u16,
}

impl Patience {
    /// The start of the time that matters.
    pub fn since(now: OffsetDateTime) -> OffsetDateTime {
        now - DAY
    }

    /// As many of the newest prompts as it takes to judge.
    pub fn most(self) -> u16 {
        self.an_hour.max(self.a_day)
    }

    /// How long a phone is to be left in peace; nothing when it may be rung. `rung`
    /// are the prompts in vain since [`Self::since`], newest first.
    pub fn rest(self, rung: &[OffsetDateTime], now: OffsetDateTime) -> Option<Duration> {
        let until = |most: u16, span: Duration| {
            let oldest = rung.get(usize::from(most).checked_sub(1)?)?;
            Duration::try_from(*oldest + span - now).ok().filter(|left| !left.is_zero())
        };
        until(self.an_hour, HOUR).max(until(self.a_day, DAY))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 12:00 UTC);
    const PATIENCE: Patience = Patience { an_hour: 3, a_day: 4 };

    fn rest(minutes_ago: &[i64]) -> Option<u64> {
        let rung: Vec<_> =
            minutes_ago.iter().map(|ago| NOW - time::Duration::minutes(*ago)).collect();
        PATIENCE.rest(&rung, NOW).map(|left| left.as_secs() / 60)
    }

    #[test]
    fn a_phone_rests_until_the_hour_has_room() {
        assert_eq!(rest(&[]), None);
        assert_eq!(rest(&[1, 2]), None);
        assert_eq!(rest(&[1, 2, 50]), Some(10));
        assert_eq!(rest(&[1, 2, 60]), None);
    }

    #[test]
    fn and_until_the_day_has_room() {
        assert_eq!(rest(&[100, 200, 300]), None);
        assert_eq!(rest(&[100, 200, 300, 400]), Some(24 * 60 - 400));
        assert_eq!(rest(&[1, 2, 3, 400]), Some(24 * 60 - 400));
    }
}
