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
    /// Used or voided.
    pub(crate) ended: bool,
}

impl Link {
    /// Whether it still opens anything.
    pub(crate) fn is_good(&self, now: OffsetDateTime) -> bool {
        !self.ended && self.is_in_time(now)
    }

    /// Whether it would, if it had not ended.
    pub(crate) fn is_in_time(&self, now: OffsetDateTime) -> bool {
        now < self.expires_at
    }
}

/// Mails with a reset link that one address gets within [`RESET_WINDOW`].
pub(crate) const RESET_MAILS: i64 = 3;
/// How long such a mail counts.
pub(crate) const RESET_WINDOW: Duration = Duration::from_hours(1);
