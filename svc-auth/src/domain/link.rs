//! Links that are mailed to verify an address.

use std::time::Duration;

use time::OffsetDateTime;
use types::PlayerId;

use super::Email;

/// What a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum LinkKind {
    /// Sets a new password.
    Reset,
    /// Confirms the address of a new account.
    Confirmation,
}

impl LinkKind {
    /// How long a link is valid, from the request on.
    pub(crate) const fn ttl(self) -> Duration {
        match self {
            Self::Reset => Duration::from_mins(30),
            Self::Confirmation => Duration::from_hours(24),
        }
    }

    /// The value of a database column.
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A row of `email_link`.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) player: PlayerId,
    /// The address that the link was mailed to, and verifies.
    pub(crate) email: Email,
    pub(crate) expires_at: OffsetDateTime,
    /// When the link was used or voided.
    pub(crate) ended_at: Option<OffsetDateTime>,
}

impl Link {
    /// Whether the link can still be used.
    pub(crate) fn is_valid(&self, now: OffsetDateTime) -> bool {
        self.ended_at.is_none() && !self.is_expired(now)
    }

    /// Whether the link was used so recently that the reply may have been lost, and the same
    /// request is a retry.
    pub(crate) fn may_be_retried(&self, now: OffsetDateTime) -> bool {
        self.ended_at.is_some_and(|at| now < at + RETRY_WINDOW)
    }

    /// Whether the link has expired, used or not.
    pub(crate) fn is_expired(&self, now: OffsetDateTime) -> bool {
        now >= self.expires_at
    }
}

/// How long after a password was set the same request succeeds again, because the reply
/// may have been lost.
pub(crate) const RETRY_WINDOW: Duration = Duration::from_mins(5);

/// Mails with a reset link that one address is sent within [`RESET_WINDOW`].
pub(crate) const RESET_MAILS: i64 = 3;
/// How long a mail with a reset link counts.
pub(crate) const RESET_WINDOW: Duration = Duration::from_hours(1);
