//! Players whose accounts svc-auth erased.

use time::OffsetDateTime;

use crate::PlayerId;

/// A player of svc-auth's list of erased accounts. The order is that of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErasedPlayer {
    /// When svc-auth erased the account.
    pub at: OffsetDateTime,
    /// The player.
    pub id: PlayerId,
}
