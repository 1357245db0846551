//! Refresh tokens: 256 bits that mean nothing to their holder.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use types::Chance;

use super::Key;
use crate::domain::{Email, TokenHash};

/// A token in hand. Only its hash is ever stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RefreshToken([u8; 32]);

impl RefreshToken {
    /// The first token of a session.
    pub(crate) fn draw(chance: &Chance) -> Self {
        Self(chance.bytes())
    }

    /// Reads what a client sends; `None` when it was never one of ours.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // 32 bytes are 43 characters; what is longer is not worth decoding.
        if text.len() != 43 {
            return None;
        }
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// What is stored.
    pub(crate) fn hash(&self) -> TokenHash {
        Sha256::digest(self.0).into()
    }

    /// What the client is sent.
    pub(crate) fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

/// Says nothing: it is a credential.
impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefreshToken(…)")
    }
}

/// Makes a token's successor, always the same one.
///
/// A reply that was lost can so be given again although the token in it was
/// never stored: only who knows both the predecessor and our secret can make it.
#[derive(Clone)]
pub(crate) struct Refresher(Key);

impl Refresher {
    pub(crate) fn new(key: Key) -> Self {
        Self(key)
    }

    /// The token that this one is traded for.
    pub(crate) fn successor(&self, token: &RefreshToken) -> RefreshToken {
        RefreshToken(self.0.mac("refresh-successor", &token.0))
    }

    /// Under which key an account's failed sign-ins are counted.
    pub(crate) fn account_key(&self, email: &Email) -> [u8; 32] {
        self.0.mac("sign-in-account", email.as_str().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refresher(byte: u8) -> Refresher {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        Refresher::new(Key::parse("REFRESH_SECRET", &secret.into()).unwrap())
    }

    #[test]
    fn a_token_reads_back_what_it_reveals() {
        let token = RefreshToken::draw(&Chance::from_seed(1));
        assert_eq!(RefreshToken::parse(&token.reveal()), Some(token));
    }

    #[test]
    fn what_was_never_a_token_is_none() {
        for text in ["", "short", &"A".repeat(44), &"é".repeat(22), &"!".repeat(43)] {
            assert_eq!(RefreshToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_successor_is_the_same_again_and_needs_the_secret() {
        let token = RefreshToken::draw(&Chance::from_seed(1));
        let successor = refresher(1).successor(&token);
        assert_eq!(refresher(1).successor(&token), successor);
        assert_ne!(refresher(2).successor(&token), successor);
        assert_ne!(successor, token);
    }
}
