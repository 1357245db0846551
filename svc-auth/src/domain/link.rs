//! Links that are mailed to prove an address.

use std::time::Duration;

use time::OffsetDateTime;
use types::PlayerId;

use super::Email;

/// What a link is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkKind {
    /// Setting a password.
    Reset,
    /// Confirming the address of a new account.
    Confirmation,
}

impl LinkKind {
    /// How long it is good, from the moment that it was asked for.
    pub(crate) const fn ttl(self) -> Duration {
        match self {
            Self::Reset => Duration::from_mins(30),
            Self::Confirmation => Duration::from_hours(24),
        }
    }

    /// What a database column holds.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Reset => "RESET",
            Self::Confirmation => "CONFIRMATION",
        }
    }
}

/// A link as its row has it.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) player: PlayerId,
    /// Which address it proves.
    pub(crate) email: Email,
    pub(crate) expires_at: OffsetDateTime,
    /// When it was used or voided.
    pub(crate) ended_at: Option<OffsetDateTime>,
}

impl Link {
    /// Whether it still opens anything.
    pub(crate) fn is_good(&self, now: OffsetDateTime) -> bool {
        self.ended_at.is_none() && self.is_in_time(now)
    }

    /// Whether it opened something so short a while ago that the reply may have been lost,
    /// and is asked for again.
    pub(crate) fn has_just_ended(&self, now: OffsetDateTime) -> bool {
        self.ended_at.is_some_and(|at| now < at + SAID_AGAIN)
    }

    /// Whether it would, if it had not ended.
    pub(crate) fn is_in_time(&self, now: OffsetDateTime) -> bool {
        now < self.expires_at
    }
}

/// How long after a password was set the same words come to the same, because the reply
/// may have been lost.
pub(crate) const SAID_AGAIN: Duration = Duration::from_mins(5);

/// Mails with a reset link that one address gets within [`RESET_WINDOW`].
pub(crate) const RESET_MAILS: i64 = 3;
/// How long such a mail counts.
pub(crate) const RESET_WINDOW: Duration = Duration::from_hours(1);
