//! What becomes of a guess at a code.

use time::OffsetDateTime;
use types::Msisdn;

/// A code that was sent, as its row has it.
#[derive(Debug, Clone)]
pub(crate) struct SentCode {
    /// Where to.
    pub(crate) phone: Msisdn,
    /// HMAC of the code.
    pub(crate) mac: [u8; 32],
    /// Guesses before this one.
    pub(crate) tries: i32,
    /// When it is too old.
    pub(crate) expires_at: OffsetDateTime,
    /// Used, voided by a newer one, or never sent.
    pub(crate) ended: bool,
}

impl SentCode {
    /// Guesses that a code survives. Five of a million, and a new code costs a
    /// captcha, a message and a minute: nobody gets through by patience.
    const MAX_TRIES: i32 = 5;

    /// Whether another guess is looked at. Of a code that has ended as well, because the
    /// reply that it was right may have been lost.
    pub(crate) fn is_open(&self, now: OffsetDateTime) -> bool {
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
            tries: 4,
            expires_at: NOW + Duration::from_secs(1),
            ended: false,
        };
        assert!(fresh.is_open(NOW));
        assert!(SentCode { ended: true, ..fresh.clone() }.is_open(NOW), "it may be said again");
        for over in [SentCode { tries: 5, ..fresh.clone() }, SentCode { expires_at: NOW, ..fresh }]
        {
            assert!(!over.is_open(NOW), "{over:?}");
        }
    }
}
