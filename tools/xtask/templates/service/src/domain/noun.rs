//! The {{noun_words}}.

use time::OffsetDateTime;
use types::PlayerId;

use super::{code::Code, name::Name};

types::id! {
    /// Identifies {{a_noun_words}}.
    pub(crate) {{Noun}}Id: "{{noun_words}}"
}

/// {{A_noun_words}} of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct {{Noun}} {
    pub(crate) id: {{Noun}}Id,
    /// The owner.
    pub(crate) player: PlayerId,
    pub(crate) name: Name,
    pub(crate) code: Code,
    pub(crate) created_at: OffsetDateTime,
    /// When it is due to expire.
    pub(crate) expires_at: OffsetDateTime,
    /// When the job expired it.
    pub(crate) expired_at: Option<OffsetDateTime>,
}
