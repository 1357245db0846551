//! An account at a provider that is to join a player, after a mailed code.

use time::{Duration, OffsetDateTime};
use types::PlayerId;

use super::{ChallengeId, Email, Provider};

/// A row of `provider_join`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderJoin {
    pub(crate) provider: Provider,
    pub(crate) subject: String,
    /// The player who signs in with the address.
    pub(crate) player: PlayerId,
    pub(crate) email: Email,
    /// When the sign-in has to start again.
    pub(crate) expires_at: OffsetDateTime,
    /// The newest mailed code; `None` before the first.
    pub(crate) challenge: Option<ChallengeId>,
    /// Guesses at the newest code so far.
    pub(crate) tries: i32,
    /// When codes were mailed, oldest first.
    pub(crate) sent: Vec<OffsetDateTime>,
}

impl ProviderJoin {
    /// How long a sign-in waits for the code of a mail.
    pub(crate) const TTL: Duration = Duration::minutes(30);

    /// How long a code is valid.
    pub(crate) const CODE_TTL: Duration = Duration::minutes(15);

    /// Most guesses at one code, and so 50 guesses a day for an account at a provider, each at one
    /// of a million codes.
    const MAX_TRIES: i32 = 5;

    /// The code that another guess is compared with.
    pub(crate) fn open_challenge(&self, now: OffsetDateTime) -> Option<ChallengeId> {
        let is_valid = self.sent.last().is_some_and(|&sent| now < sent + Self::CODE_TTL);
        self.challenge.filter(|_| is_valid && self.tries < Self::MAX_TRIES)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use types::{Clock, Rng};

    use super::*;

    #[test]
    fn a_code_takes_five_guesses_within_fifteen_minutes() {
        let sent = datetime!(2026-11-20 09:00 UTC);
        let (clock, rng) = (Clock::system(), Rng::from_seed(1));
        let challenge = Some(ChallengeId::generate(&clock, &rng));
        let join = ProviderJoin {
            provider: Provider::Facebook,
            subject: "1".to_owned(),
            player: PlayerId::generate(&clock, &rng),
            email: Email::parse("mary@example.com").unwrap(),
            expires_at: sent + ProviderJoin::TTL,
            challenge,
            tries: 4,
            sent: vec![sent - Duration::HOUR, sent],
        };
        let last = sent + Duration::minutes(15) - Duration::SECOND;
        assert_eq!(join.open_challenge(last), challenge);
        assert_eq!(join.open_challenge(last + Duration::SECOND), None, "late");
        let guessed = ProviderJoin { tries: 5, ..join.clone() };
        let unsent = ProviderJoin { challenge: None, sent: vec![], ..join };
        assert_eq!((guessed.open_challenge(sent), unsent.open_challenge(sent)), (None, None));
    }
}
