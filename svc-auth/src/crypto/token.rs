//! 256 bits that mean nothing to their holder, and prove who holds them.

use std::{fmt, marker::PhantomData};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use types::Rng;

use crate::domain::TokenHash;

/// A token in hand, for one use `K`: none can be taken for another's. Only its hash is
/// ever stored.
pub(crate) struct Token<K> {
    bytes: [u8; 32],
    /// Uses have no values.
    used_as: PhantomData<fn() -> K>,
}

impl<K> Token<K> {
    /// A new one.
    pub(crate) fn draw(rng: &Rng) -> Self {
        Self::derived(rng.bytes())
    }

    /// One that was made of a secret, and can be made again.
    pub(crate) const fn derived(bytes: [u8; 32]) -> Self {
        Self { bytes, used_as: PhantomData }
    }

    /// Reads what a client sends; `None` when it was never one of ours.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // 32 bytes are 43 characters; what is longer is not worth decoding.
        if text.len() != 43 {
            return None;
        }
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self::derived)
    }

    /// What is stored.
    pub(crate) fn hash(&self) -> TokenHash {
        Sha256::digest(self.bytes).into()
    }

    /// Whether this is the one whose hash was stored, in a time that tells nothing.
    pub(crate) fn is(&self, stored: &[u8]) -> bool {
        self.hash().ct_eq(stored).into()
    }

    /// What the client is sent.
    pub(crate) fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes)
    }

    /// What other secrets may be made of.
    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }
}

/// Says nothing: it is a credential.
impl<K> fmt::Debug for Token<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

// By hand, because deriving would ask the same of the use, which has no values.
impl<K> Clone for Token<K> {
    fn clone(&self) -> Self {
        Self::derived(self.bytes)
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
    fn a_token_reads_back_what_it_reveals_and_is_known_by_its_hash() {
        let token = Any::draw(&Rng::from_seed(1));
        assert_eq!(Any::parse(&token.reveal()), Some(token.clone()));
        assert!(token.is(&token.hash()));
        assert!(!Any::draw(&Rng::from_seed(2)).is(&token.hash()));
        assert!(!token.is(&[]));
    }

    #[test]
    fn what_was_never_a_token_is_none() {
        for text in ["", "short", &"A".repeat(44), &"é".repeat(22), &"!".repeat(43)] {
            assert_eq!(Any::parse(text), None, "{text}");
        }
    }

    #[test]
    fn it_does_not_print() {
        assert_eq!(format!("{:?}", Any::draw(&Rng::from_seed(1))), "Token(…)");
    }
}
