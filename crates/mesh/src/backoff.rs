//! The pause between tries of what failed.

use std::time::Duration;

/// The pause after failed tries: a second after the first, doubled after each, up to five minutes.
pub(crate) fn backoff(failures: i32) -> Duration {
    let exponent = u32::try_from(failures.clamp(0, 16)).unwrap_or(0);
    Duration::from_millis(500 << exponent).min(Duration::from_mins(5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_up_to_five_minutes() {
        assert_eq!(backoff(1), Duration::from_secs(1));
        assert_eq!(backoff(2), Duration::from_secs(2));
        assert_eq!(backoff(i32::MAX), Duration::from_mins(5));
    }
}
