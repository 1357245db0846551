//! A code that was mailed to confirm a device.

use time::{Duration, OffsetDateTime};

use super::{ChallengeId, DeviceId};

/// A row of `device_challenge`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeviceChallenge {
    /// The newest code.
    pub(crate) challenge: ChallengeId,
    /// Guesses at the newest code so far.
    pub(crate) tries: i32,
    /// The device that the code confirmed.
    pub(crate) used_by: Option<DeviceId>,
    pub(crate) expires_at: OffsetDateTime,
    /// When codes were sent, oldest first.
    pub(crate) sent: Vec<OffsetDateTime>,
}

impl DeviceChallenge {
    /// How long a code is valid: mails are slower than text messages.
    pub(crate) const TTL: Duration = Duration::minutes(15);

    /// Most guesses at one code, and so 50 guesses a day for an account, each at one of a million
    /// codes.
    const MAX_TRIES: i32 = 5;

    /// Whether another guess of a device is compared. The device that used the code may retry,
    /// because the reply may have been lost.
    pub(crate) fn takes_guesses(&self, device: Option<DeviceId>, now: OffsetDateTime) -> bool {
        let is_open = self.used_by.is_none() || self.used_by == device;
        is_open && self.tries < Self::MAX_TRIES && now < self.expires_at
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use time::macros::datetime;
    use types::{Clock, Rng};

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    #[test]
    fn a_code_takes_five_guesses_in_time_and_retries_of_the_device_that_used_it() {
        let (clock, rng) = (Clock::system(), Rng::from_seed(1));
        let device = || Some(DeviceId::generate(&clock, &rng));
        let (one, other) = (device(), device());
        let fresh = DeviceChallenge {
            challenge: ChallengeId::generate(&clock, &rng),
            tries: 4,
            used_by: None,
            expires_at: NOW + Duration::from_secs(1),
            sent: vec![NOW],
        };
        assert!(fresh.takes_guesses(one, NOW) && fresh.takes_guesses(None, NOW));
        let used = DeviceChallenge { used_by: one, ..fresh.clone() };
        assert!(used.takes_guesses(one, NOW), "a retry");
        assert!(!used.takes_guesses(other, NOW) && !used.takes_guesses(None, NOW));
        let guessed = DeviceChallenge { tries: 5, ..fresh.clone() };
        let late = DeviceChallenge { expires_at: NOW, ..fresh };
        assert!(!guessed.takes_guesses(one, NOW) && !late.takes_guesses(one, NOW));
    }
}
