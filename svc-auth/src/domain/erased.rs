//! Players whose accounts were erased.

use time::OffsetDateTime;
use types::PlayerId;
use uuid::Uuid;

/// A player whose account was erased. The default sorts before all erased players.
pub(crate) struct Erased {
    pub(crate) player: PlayerId,
    pub(crate) at: OffsetDateTime,
}

impl Default for Erased {
    fn default() -> Self {
        Self { player: Uuid::nil().into(), at: OffsetDateTime::UNIX_EPOCH }
    }
}
