//! The current call: its deadline, the player's token and their language.
//!
//! The server layer sets it and the client layer reads it, so that deadlines shrink and
//! the token is forwarded on every hop without being a parameter of every function in
//! between. It is the only state of a call that is not an argument.

use std::{future::Future, time::Duration};

use http::HeaderValue;
use tokio::time::Instant;
use types::Language;

/// Longest a call may take when its caller sets no deadline.
pub const DEFAULT_LIMIT: Duration = Duration::from_secs(15);

tokio::task_local! {
    static CALL: Call;
}

/// The state that a hop passes on to the next.
#[derive(Debug, Clone)]
pub struct Call {
    /// When the caller stops waiting.
    pub deadline: Instant,
    /// The `authorization` header as it came, marked as sensitive.
    pub authorization: Option<HeaderValue>,
    /// The language of the mails, text messages and documents that the call causes.
    pub language: Language,
}

impl Call {
    /// A call that may take `limit`, with the caller's `authorization`, in English.
    pub fn new(limit: Duration, authorization: Option<&HeaderValue>) -> Self {
        let authorization = authorization.map(|value| {
            let mut value = value.clone();
            value.set_sensitive(true);
            value
        });
        Self { deadline: Instant::now() + limit, authorization, language: Language::default() }
    }

    /// This call of a player who reads this language.
    #[must_use]
    pub fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The time until the deadline.
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Runs `work` within this call. No `async fn`, which would have room for `work` twice.
    pub fn run<F: Future>(self, work: F) -> impl Future<Output = F::Output> {
        CALL.scope(self, work)
    }

    /// The current call; in a job, a call of [`DEFAULT_LIMIT`] without a caller.
    pub fn current() -> Self {
        CALL.try_with(Self::clone).unwrap_or_else(|_| Self::new(DEFAULT_LIMIT, None))
    }
}

/// Parses `grpc-timeout`: at most eight digits and a unit.
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

/// Formats `grpc-timeout` in milliseconds; its eight digits hold a day.
pub(crate) fn format_timeout(left: Duration) -> String {
    format!("{}m", left.as_millis().min(99_999_999))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_parses_back_from_its_text() {
        let left = Duration::from_millis(14_750);
        assert_eq!(parse_timeout(&format_timeout(left)), Some(left));
    }

    #[test]
    fn other_texts_are_not_timeouts() {
        for text in ["", "S", "15", "-1S", "123456789S", "1x", "15秒"] {
            assert_eq!(parse_timeout(text), None, "{text}");
        }
    }

    #[tokio::test]
    async fn work_sees_the_call_that_it_runs_in() {
        let token = HeaderValue::from_static("Bearer token");
        let call = Call::new(Duration::from_secs(3), Some(&token)).in_language(Language::Swahili);
        let seen = call.run(async { Call::current() }).await;
        assert!(seen.left() <= Duration::from_secs(3));
        assert!(seen.authorization.is_some_and(|value| value.is_sensitive()));
        assert_eq!(seen.language, Language::Swahili);
        assert!(Call::current().authorization.is_none());
    }
}
