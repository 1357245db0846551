//! The limit on mails to all addresses together: a mail server that sends strangers mails that they
//! did not ask for is soon refused by all others.

use std::time::Duration;

use time::OffsetDateTime;

const HOUR: i64 = 3_600;

/// Mails that may be sent in one hour of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MailBudget {
    pub(crate) hour: i32,
}

/// Whose address a mail goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recipient {
    /// A player, who has proven the address or has an account by it.
    Player,
    /// The owner of an address that a sign-up named.
    Stranger,
}

impl MailBudget {
    /// Mails of an hour that may go to strangers. The others are kept for players, so that sign-ups
    /// do not delay their password resets.
    pub(crate) fn strange_hour(self) -> i32 {
        self.hour / 2
    }

    /// How long a mail waits that the hour's budget does not cover.
    pub(crate) fn wait(now: OffsetDateTime) -> Duration {
        let over = now.unix_timestamp().rem_euclid(HOUR);
        Duration::from_secs((HOUR - over).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_mail_waits_for_the_next_hour() {
        for (now, seconds) in
            [(datetime!(2026-11-20 09:00 UTC), 3_600), (datetime!(2026-11-20 09:59:59.9 UTC), 1)]
        {
            assert_eq!(MailBudget::wait(now), Duration::from_secs(seconds), "{now}");
        }
    }
}
