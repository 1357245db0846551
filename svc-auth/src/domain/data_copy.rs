//! A player's copy of what all services store about the player.

use std::time::Duration;

use time::OffsetDateTime;

/// How long a copy is kept, and how long services may take to reply.
const KEPT: Duration = Duration::from_hours(24);

/// The state of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "each is a time")]
pub(crate) struct DataCopy {
    pub(crate) requested_at: OffsetDateTime,
    /// `None` while services are asked.
    pub(crate) completed_at: Option<OffsetDateTime>,
    pub(crate) expires_at: OffsetDateTime,
}

impl DataCopy {
    pub(crate) fn requested(now: OffsetDateTime) -> Self {
        Self { requested_at: now, completed_at: None, expires_at: now + KEPT }
    }

    /// When a copy expires that is completed now.
    pub(crate) fn expiry(now: OffsetDateTime) -> OffsetDateTime {
        now + KEPT
    }
}

/// A service that stores data about players. A copy has their records in this order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
pub(crate) enum Source {
    #[strum(serialize = "svc-auth")]
    Auth,
    #[strum(serialize = "svc-wallet")]
    Wallet,
    #[strum(serialize = "svc-games")]
    Games,
    #[strum(serialize = "svc-tournament")]
    Tournament,
    #[strum(serialize = "svc-chat")]
    Chat,
}

impl Source {
    /// The service's name.
    pub(crate) fn name(self) -> &'static str {
        self.into()
    }
}

/// How a copy is written as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyFormat {
    Json,
    Html,
}
