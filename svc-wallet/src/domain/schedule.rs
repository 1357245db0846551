//! When to ask a provider that says nothing.

use std::time::Duration;

/// Ages of a payment at which it is asked about: close together while the player
/// waits, then ever rarer (design/providers' reconciliation schedule), then each
/// hour of a day.
const AGES: [Duration; 7] = [
    Duration::from_secs(20),
    Duration::from_secs(40),
    Duration::from_secs(75),
    Duration::from_mins(2),
    Duration::from_mins(5),
    Duration::from_mins(15),
    Duration::from_hours(1),
];
const LAST_HOUR: u64 = 24;

/// The age at which a payment of `age` is asked about next; `None` after a day.
/// What was missed is not made up for: one question tells as much as ten.
pub fn next_question(age: Duration) -> Option<Duration> {
    let hours = (2..=LAST_HOUR).map(Duration::from_hours);
    AGES.into_iter().chain(hours).find(|slot| *slot > age)
}

/// The age at which it is asked about again when the question reached nobody: that
/// tells nothing, so it is made up for sooner.
pub fn asked_again(age: Duration) -> Duration {
    age + (age / 10).clamp(Duration::from_secs(5), Duration::from_mins(5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_questions_come_ever_later_and_end_after_a_day() {
        let mut age = Duration::ZERO;
        let mut asked = Vec::new();
        while let Some(next) = next_question(age) {
            asked.push(next);
            age = next;
        }
        assert_eq!(asked.len(), 30);
        assert_eq!(asked[0], Duration::from_secs(20));
        assert_eq!(asked.last(), Some(&Duration::from_hours(24)));
    }

    #[test]
    fn after_an_outage_one_question_is_enough() {
        let six_hours = Duration::from_hours(6);
        assert_eq!(next_question(six_hours), Some(Duration::from_hours(7)));
    }

    #[test]
    fn a_question_that_reached_nobody_is_repeated_the_sooner_the_younger_the_payment() {
        for (age, again) in [(20, 25), (120, 132), (36_000, 36_300)] {
            let (age, again) = (Duration::from_secs(age), Duration::from_secs(again));
            assert_eq!(asked_again(age), again);
        }
    }
}
