//! Opaque bearer tokens: 256 random or derived bits.

use std::{fmt, marker::PhantomData};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use types::Rng;

use crate::domain::TokenHash;

/// A token of one kind `K`, so that kinds cannot be confused. Only its hash is stored.
pub(crate) struct Token<K> {
    bytes: [u8; 32],
    kind: PhantomData<fn() -> K>,
}

impl<K> Token<K> {
    /// A random token.
    pub(crate) fn generate(rng: &Rng) -> Self {
        Self::from_bytes(rng.bytes())
    }

    /// A token that was derived from a secret.
    pub(crate) const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self { bytes, kind: PhantomData }
    }

    /// Parses the text that a client sends; `None` when it does not have the form of a token.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // 32 bytes are 43 characters of base64url.
        if text.len() != 43 {
            return None;
        }
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self::from_bytes)
    }

    /// The token's SHA-256, which is stored.
    pub(crate) fn hash(&self) -> TokenHash {
        Sha256::digest(self.bytes).into()
    }

    /// Whether the token's hash is the stored one; compared in constant time.
    pub(crate) fn matches(&self, stored: &[u8]) -> bool {
        self.hash().ct_eq(stored).into()
    }

    /// The text that the client is sent.
    pub(crate) fn expose(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes)
    }

    /// The token's bytes, from which other secrets are derived.
    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }
}

/// Hides the token: it is a credential.
impl<K> fmt::Debug for Token<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

// Not derived, because that would require `K` to be `Clone`, too.
impl<K> Clone for Token<K> {
    fn clone(&self) -> Self {
        Self::from_bytes(self.bytes)
    }
}

impl<K> PartialEq for Token<K> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<K> Eq for Token<K> {}

#[cfg(test)]
mod tests {
    use super::*;

    type Any = Token<()>;

    #[test]
    fn a_token_parses_back_from_its_text_and_matches_its_hash() {
        let token = Any::generate(&Rng::from_seed(1));
        assert_eq!(Any::parse(&token.expose()), Some(token.clone()));
        assert!(token.matches(&token.hash()));
        assert!(!Any::generate(&Rng::from_seed(2)).matches(&token.hash()));
        assert!(!token.matches(&[]));
    }

    #[test]
    fn other_texts_are_not_tokens() {
        for text in ["", "short", &"A".repeat(44), &"é".repeat(22), &"!".repeat(43)] {
            assert_eq!(Any::parse(text), None, "{text}");
        }
    }

    #[test]
    fn debug_output_hides_the_token() {
        assert_eq!(format!("{:?}", Any::generate(&Rng::from_seed(1))), "Token(…)");
    }
}
