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

/// The person who causes a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MailCause {
    /// A player who has signed in, or proven an account at a provider.
    Player,
    /// Anyone who asks for a new password by the address of an account.
    Reset,
    /// Anyone who signs up with an address.
    SignUp,
}

impl MailBudget {
    /// Mails of an hour that sign-ups may cause, and as many that resets may: neither of them delays
    /// the other for long.
    pub(crate) const fn share(self) -> i32 {
        self.hour / 2
    }

    /// Mails of an hour that sign-ups and resets may cause together. The others are kept for
    /// players, who cannot withdraw on a new device without the code of a mail.
    pub(crate) const fn open_to_all(self) -> i32 {
        self.hour - self.hour / 4
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
