//! The schedule of queries to a provider about a payment without a report.

use std::time::Duration;

/// Ages of a payment at which it is queried: close together while the player waits, then
/// less often, then each hour of a day.
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
/// Ages of a payout at which it is queried. Its player waits for an SMS and not at a screen.
const PAYOUT_AGES: [Duration; 4] = [
    Duration::from_mins(2),
    Duration::from_mins(5),
    Duration::from_mins(15),
    Duration::from_hours(1),
];

/// Returns the age at which a payment of `age` is queried next; `None` after a day. Missed queries
/// are skipped, because one reply is enough.
pub(crate) fn next_query(age: Duration) -> Option<Duration> {
    AGES.into_iter().chain(hours()).find(|slot| *slot > age)
}

/// Returns the age at which a payout of `age` is queried next.
pub(crate) fn next_payout_query(age: Duration) -> Option<Duration> {
    PAYOUT_AGES.into_iter().chain(hours()).find(|slot| *slot > age)
}

fn hours() -> impl Iterator<Item = Duration> {
    (2..=LAST_HOUR).map(Duration::from_hours)
}

/// Returns the age at which a query that did not reach the provider is repeated: sooner than the
/// next of the schedule, because it brought no answer.
pub(crate) fn retry_at(age: Duration) -> Duration {
    age + (age / 10).clamp(Duration::from_secs(5), Duration::from_mins(5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_become_rarer_and_end_after_a_day() {
        let mut age = Duration::ZERO;
        let mut queries = Vec::new();
        while let Some(next) = next_query(age) {
            queries.push(next);
            age = next;
        }
        assert_eq!(queries.len(), 30);
        assert_eq!(queries[0], Duration::from_secs(20));
        assert_eq!(queries.last(), Some(&Duration::from_hours(24)));
    }

    #[test]
    fn payouts_are_queried_at_2_5_15_and_60_minutes_and_then_hourly() {
        let mut age = Duration::ZERO;
        let mut minutes = Vec::new();
        while let Some(next) = next_payout_query(age) {
            minutes.push(next.as_secs() / 60);
            age = next;
        }
        assert_eq!(minutes[..6], [2, 5, 15, 60, 120, 180]);
        assert_eq!(minutes.last(), Some(&(24 * 60)));
    }

    #[test]
    fn missed_queries_are_skipped() {
        let six_hours = Duration::from_hours(6);
        assert_eq!(next_query(six_hours), Some(Duration::from_hours(7)));
    }

    #[test]
    fn an_unsent_query_is_retried_sooner_for_a_younger_payment() {
        for (age, retry) in [(20, 25), (120, 132), (36_000, 36_300)] {
            let (age, retry) = (Duration::from_secs(age), Duration::from_secs(retry));
            assert_eq!(retry_at(age), retry);
        }
    }
}
