//! A code that was sent, and how often it may be guessed at.

use time::OffsetDateTime;
use types::Msisdn;

use super::{CodeLength, Standing};

/// A row of `phone_challenge`.
#[derive(Debug, Clone)]
pub(crate) struct SentCode {
    pub(crate) phone: Msisdn,
    /// The code's HMAC.
    pub(crate) mac: [u8; 32],
    pub(crate) length: CodeLength,
    /// Whether the device that asked for the code was known to the phone's owner.
    pub(crate) standing: Standing,
    /// Guesses so far.
    pub(crate) tries: i32,
    pub(crate) expires_at: OffsetDateTime,
    /// Whether the code was used, voided by a newer code, or not sent after all.
    pub(crate) ended: bool,
}

impl SentCode {
    /// Most guesses at one code. Guesses at all codes are limited by
    /// [`WrongGuesses`](super::WrongGuesses).
    const MAX_TRIES: i32 = 5;

    /// Whether another guess is compared. An ended code takes guesses too, because the
    /// reply to the right one may have been lost.
    pub(crate) fn takes_guesses(&self, now: OffsetDateTime) -> bool {
        self.tries < Self::MAX_TRIES && now < self.expires_at
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    #[test]
    fn a_code_takes_five_guesses_in_time() {
        let fresh = SentCode {
            phone: Msisdn::parse("0712345678").unwrap(),
            mac: [0; 32],
            length: CodeLength::Six,
            standing: Standing::Unknown,
            tries: 4,
            expires_at: NOW + Duration::from_secs(1),
            ended: false,
        };
        assert!(fresh.takes_guesses(NOW));
        assert!(
            SentCode { ended: true, ..fresh.clone() }.takes_guesses(NOW),
            "a retry of the right guess"
        );
        for over in [SentCode { tries: 5, ..fresh.clone() }, SentCode { expires_at: NOW, ..fresh }]
        {
            assert!(!over.takes_guesses(NOW), "{over:?}");
        }
    }
}
