//! How the scores of a tournament are proven.

/// The rules or the key by which the scores of a tournament are proven, as svc-games has them. Both
/// are `None` for a game whose scores are not proven, and in a tournament of an earlier release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Proof {
    /// SHA-256 of the rules module.
    pub(crate) rules_sha256: Option<Vec<u8>>,
    /// The Ed25519 public key of the game's own server.
    pub(crate) score_key: Option<Vec<u8>>,
}
