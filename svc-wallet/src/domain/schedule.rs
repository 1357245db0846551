//! When to ask a provider that says nothing.

use std::time::Duration;

/// After how long since the payment's beginning to ask for the `n`-th time
/// (from 0): close together while the player waits, then ever rarer, for a day;
/// then `None`. The first steps are design/providers' reconciliation schedule.
pub fn next_query(n: u32) -> Option<Duration> {
    const SECONDS: [u64; 4] = [20, 40, 75, 120];
    const MINUTES: [u64; 3] = [5, 15, 60];
    const HOURS: u32 = 23;
    let n = n as usize;
    if let Some(seconds) = SECONDS.get(n) {
        return Some(Duration::from_secs(*seconds));
    }
    let n = n - SECONDS.len();
    if let Some(minutes) = MINUTES.get(n) {
        return Some(Duration::from_secs(minutes * 60));
    }
    let hours = u32::try_from(n - MINUTES.len()).ok()? + 2;
    (hours <= HOURS + 1).then(|| Duration::from_secs(u64::from(hours) * 3600))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_questions_come_ever_later_and_end_after_a_day() {
        let times: Vec<_> = (0..).map_while(next_query).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(times.first(), Some(&Duration::from_secs(20)));
        assert_eq!(times.last(), Some(&Duration::from_hours(24)));
    }
}
