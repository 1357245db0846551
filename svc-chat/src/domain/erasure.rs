//! Players whose accounts svc-auth erased.

use time::OffsetDateTime;
use types::PlayerId;

/// A player of svc-auth's list of erased accounts, in the order of that list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ErasedPlayer {
    pub(crate) at: OffsetDateTime,
    pub(crate) id: PlayerId,
}
