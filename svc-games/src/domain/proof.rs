//! How the score of a game is proven.

use std::fmt;

use super::RulesHash;

/// The Ed25519 public key of a game's own server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScoreKey(pub(crate) [u8; 32]);

impl ScoreKey {
    /// Parses 64 hexadecimal digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Self(bytes))
    }
}

impl fmt::Display for ScoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for ScoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How the score of a run is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// A replay of the run with these rules.
    Replay(RulesHash),
    /// A signature of the game's own server.
    Signature(ScoreKey),
    /// No proof: the score is as the player claims.
    Claim,
}

impl Proof {
    /// Returns how the scores of a game with rules, with a key, or with neither are proven. An
    /// operator cannot apply a game with both.
    pub(crate) fn new(rules: Option<RulesHash>, key: Option<ScoreKey>) -> Self {
        match (rules, key) {
            (Some(rules), _) => Self::Replay(rules),
            (None, Some(key)) => Self::Signature(key),
            (None, None) => Self::Claim,
        }
    }

    pub(crate) fn rules(self) -> Option<RulesHash> {
        match self {
            Self::Replay(rules) => Some(rules),
            Self::Signature(_) | Self::Claim => None,
        }
    }

    pub(crate) fn key(self) -> Option<ScoreKey> {
        match self {
            Self::Signature(key) => Some(key),
            Self::Replay(_) | Self::Claim => None,
        }
    }
}
