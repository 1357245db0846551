//! Refresh tokens, each made of the one before.

use super::{ExchangeCode, Key, Solved, Token};
use crate::domain::{Email, SentCode};

/// What a session goes on by.
pub(crate) type RefreshToken = Token<AsRefreshToken>;

/// The use of a [`RefreshToken`].
pub(crate) enum AsRefreshToken {}

/// What a session is opened by, when that is good once.
pub(crate) enum Proof<'a> {
    /// The code that was sent to a phone.
    Code(&'a SentCode),
    /// The code of an attempt at a provider.
    Exchange(&'a ExchangeCode),
    /// The captcha of a sign-up.
    SignUp(&'a Solved, &'a Email),
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
        RefreshToken::derived(self.0.mac("refresh-successor", token.bytes()))
    }

    /// The first token of the session that a proof opens, always the same one: who comes
    /// again because the reply was lost is so given the same session.
    pub(crate) fn first(&self, proof: &Proof<'_>) -> RefreshToken {
        RefreshToken::derived(match proof {
            Proof::Code(sent) => self.0.mac("first-by-code", &sent.mac),
            Proof::Exchange(code) => self.0.mac("first-by-exchange", code.bytes()),
            Proof::SignUp(solved, email) => {
                // Signatures have one length, so no two pairs look alike.
                let parts = [solved.signature.as_bytes(), email.as_str().as_bytes()];
                self.0.mac("first-by-sign-up", &parts.concat())
            }
        })
    }

    /// Under which key an account's failed sign-ins are counted.
    pub(crate) fn account_key(&self, email: &Email) -> [u8; 32] {
        self.0.mac("sign-in-account", email.as_str().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use types::Rng;

    use super::*;

    fn refresher(byte: u8) -> Refresher {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        Refresher::new(Key::parse("REFRESH_SECRET", &secret.into()).unwrap())
    }

    #[test]
    fn the_successor_is_the_same_again_and_needs_the_secret() {
        let token = RefreshToken::draw(&Rng::from_seed(1));
        let successor = refresher(1).successor(&token);
        assert_eq!(refresher(1).successor(&token), successor);
        assert_ne!(refresher(2).successor(&token), successor);
        assert_ne!(successor, token);
    }
}
