//! The call in hand: how long it may still take, and for whom it is made.
//!
//! The server layer sets it, the client layer reads it, so a deadline shrinks
//! and a player's token travels on every hop without passing through each
//! signature in between. It is the one thing here that is not an argument.

use std::{future::Future, time::Duration};

use tokio::time::Instant;
use types::SecretString;

/// Longest a call may take when its caller does not say.
pub const DEFAULT_LIMIT: Duration = Duration::from_secs(15);

tokio::task_local! {
    static CALL: Call;
}

/// What a hop passes on to the next.
#[derive(Debug, Clone)]
pub struct Call {
    /// When the caller stops waiting.
    pub deadline: Instant,
    /// The player's access token, as it came.
    pub bearer: Option<SecretString>,
}

impl Call {
    /// A call that may take `limit`, for whoever holds `bearer`.
    pub fn new(limit: Duration, bearer: Option<SecretString>) -> Self {
        Self { deadline: Instant::now() + limit, bearer }
    }

    /// What is left of the time.
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Runs `work` within this call.
    pub async fn run<F: Future>(self, work: F) -> F::Output {
        CALL.scope(self, work).await
    }

    /// The call in hand, or one of [`DEFAULT_LIMIT`] for nobody: what a job has.
    pub fn current() -> Self {
        CALL.try_with(Self::clone).unwrap_or_else(|_| Self::new(DEFAULT_LIMIT, None))
    }
}

/// Reads `grpc-timeout` (at most eight digits and a unit); `None` when it is
/// absent or not of that form.
pub(crate) fn parse_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(amount * 3600),
        "M" => Duration::from_secs(amount * 60),
        "S" => Duration::from_secs(amount),
        "m" => Duration::from_millis(amount),
        "u" => Duration::from_micros(amount),
        "n" => Duration::from_nanos(amount),
        _ => return None,
    })
}

/// Writes `grpc-timeout`, in milliseconds; the form's eight digits hold a day.
pub(crate) fn format_timeout(left: Duration) -> String {
    format!("{}m", left.as_millis().min(99_999_999))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_survives_the_wire() {
        let left = Duration::from_millis(14_750);
        assert_eq!(parse_timeout(&format_timeout(left)), Some(left));
    }

    #[test]
    fn what_is_no_timeout_is_none() {
        for text in ["", "S", "15", "-1S", "123456789S", "1x", "15秒"] {
            assert_eq!(parse_timeout(text), None, "{text}");
        }
    }

    #[tokio::test]
    async fn the_call_in_hand_reaches_what_it_runs() {
        let call = Call::new(Duration::from_secs(3), Some("token".into()));
        let seen = call.run(async { Call::current() }).await;
        assert!(seen.bearer.is_some() && seen.left() <= Duration::from_secs(3));
        assert!(Call::current().bearer.is_none());
    }
}
