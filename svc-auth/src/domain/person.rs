//! Traces of one person behind several accounts.

use types::PlayerId;

/// A kind of identity that players may share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdentityKind {
    /// A browser on which the players have signed in.
    Device,
    /// A phone that the players sign in with, or have proven for withdrawals.
    Phone,
}

/// A device or a phone of two or more players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SharedIdentity {
    pub(crate) kind: IdentityKind,
    pub(crate) players: Vec<PlayerId>,
}
