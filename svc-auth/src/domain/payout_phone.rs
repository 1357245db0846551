//! Phones to which a player's withdrawals may go.

use time::{Duration, OffsetDateTime};
use types::Msisdn;

use super::ChallengeId;

/// How long a new phone waits for its first withdrawal. An owner whose account was taken over finds
/// out within the day.
const REST: Duration = Duration::hours(24);

/// The time after the creation of an account in which a new phone does not wait, because the
/// creator of the account adds the phone.
const FIRST_DAY: Duration = Duration::hours(24);

/// A phone that a player has proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PayoutPhone {
    pub(crate) phone: Msisdn,
    /// Withdrawals may go to the phone from this time on.
    pub(crate) opens_at: OffsetDateTime,
}

impl PayoutPhone {
    /// New phones that a player may prove in a [`Self::YEAR`].
    pub(crate) const MOST: i64 = 5;

    /// The period in which [`Self::MOST`] phones may be proven.
    pub(crate) const YEAR: Duration = Duration::days(365);

    /// Returns a phone that a player, who joined at `joined`, proves now.
    pub(crate) fn proven(phone: Msisdn, joined: OffsetDateTime, now: OffsetDateTime) -> Self {
        let opens_at = if now < joined + FIRST_DAY { now } else { now + REST };
        Self { phone, opens_at }
    }
}

/// A row of `payout_phone_challenge`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PayoutPhoneChallenge {
    /// The newest code.
    pub(crate) challenge: ChallengeId,
    /// The phone that the code was sent to.
    pub(crate) phone: Msisdn,
    /// Guesses at the newest code so far.
    pub(crate) tries: i32,
    pub(crate) expires_at: OffsetDateTime,
    /// When codes were sent, oldest first.
    pub(crate) sent: Vec<OffsetDateTime>,
}

impl PayoutPhoneChallenge {
    /// How long a code is valid: as long as one for signing in.
    pub(crate) const TTL: Duration = Duration::minutes(5);

    /// Most guesses at one code.
    const MAX_TRIES: i32 = 5;

    /// Whether another guess is compared. A code that was used is compared as well, because the
    /// reply may have been lost, and it proves the same phone.
    pub(crate) fn takes_guesses(&self, now: OffsetDateTime) -> bool {
        self.tries < Self::MAX_TRIES && now < self.expires_at
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use types::{Clock, Rng};

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn phone() -> Msisdn {
        Msisdn::parse("0712345678").unwrap()
    }

    #[test]
    fn a_new_phone_waits_a_day_except_on_the_account_s_first() {
        let opens_at = |joined| PayoutPhone::proven(phone(), joined, NOW).opens_at;
        assert_eq!(opens_at(NOW - Duration::minutes(1)), NOW);
        assert_eq!(opens_at(NOW - Duration::hours(24)), NOW + Duration::hours(24));
    }

    #[test]
    fn a_code_takes_five_guesses_in_time() {
        let fresh = PayoutPhoneChallenge {
            challenge: ChallengeId::generate(&Clock::system(), &Rng::from_seed(1)),
            phone: phone(),
            tries: 4,
            expires_at: NOW + Duration::SECOND,
            sent: vec![NOW],
        };
        assert!(fresh.takes_guesses(NOW));
        assert!(!PayoutPhoneChallenge { tries: 5, ..fresh.clone() }.takes_guesses(NOW));
        assert!(!PayoutPhoneChallenge { expires_at: NOW, ..fresh }.takes_guesses(NOW));
    }
}
