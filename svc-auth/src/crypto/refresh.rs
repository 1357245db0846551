//! Refresh tokens, each derived from the one before.

use mesh::auth::MacKey;

use super::{ExchangeCode, Solved, Token};
use crate::domain::{Email, SentCode, Standing};

/// A token that keeps a session alive.
pub(crate) type RefreshToken = Token<AsRefreshToken>;

/// Marks a [`RefreshToken`].
pub(crate) enum AsRefreshToken {}

/// A proof that opens one session.
pub(crate) enum Proof<'a> {
    /// A code that was sent to a phone.
    Code(&'a SentCode),
    /// The exchange code of a sign-in with a provider.
    Exchange(&'a ExchangeCode),
    /// The captcha and the email of a sign-up.
    SignUp(&'a Solved, &'a Email),
}

/// Derives refresh tokens by HMAC.
///
/// The same input gives the same token, so a lost reply can be sent again although the
/// token in it was never stored. Deriving one needs both the predecessor and our secret.
#[derive(Clone)]
pub(crate) struct Refresher(MacKey);

impl Refresher {
    pub(crate) fn new(key: MacKey) -> Self {
        Self(key)
    }

    /// The token that this one is exchanged for.
    pub(crate) fn successor(&self, token: &RefreshToken) -> RefreshToken {
        RefreshToken::from_bytes(self.0.mac("refresh-successor", token.bytes()))
    }

    /// The first token of the session that a proof opens. A retry of the same proof finds
    /// the same session by it.
    pub(crate) fn first(&self, proof: &Proof<'_>) -> RefreshToken {
        RefreshToken::from_bytes(match proof {
            Proof::Code(sent) => self.0.mac("first-by-code", &sent.mac),
            Proof::Exchange(code) => self.0.mac("first-by-exchange", code.bytes()),
            Proof::SignUp(solved, email) => {
                // Signatures have one length, so different pairs differ when concatenated.
                let parts = [solved.signature.as_bytes(), email.as_str().as_bytes()];
                self.0.mac("first-by-sign-up", &parts.concat())
            }
        })
    }

    /// The text that a client is sent: the token and its MAC, so that a token that was made up
    /// costs no look-up.
    pub(crate) fn expose(&self, token: &RefreshToken) -> String {
        self.0.seal("refresh-token", token.bytes())
    }

    /// The token that a client sends; `None` for a text that was made up.
    pub(crate) fn open(&self, text: &str) -> Option<RefreshToken> {
        self.0.open("refresh-token", text).map(RefreshToken::from_bytes)
    }

    /// The key under which failed sign-ins of an account are counted, for devices of a
    /// standing.
    pub(crate) fn account_key(&self, email: &Email, standing: Standing) -> [u8; 32] {
        let purpose = match standing {
            Standing::Known => "sign-in-account-on-known-devices",
            Standing::Unknown => "sign-in-account",
        };
        self.0.mac(purpose, email.as_str().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use types::Rng;

    use super::*;

    fn refresher(byte: u8) -> Refresher {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        Refresher::new(MacKey::parse("REFRESH_SECRET", &secret.into()).unwrap())
    }

    #[test]
    fn the_successor_is_repeatable_and_needs_the_secret() {
        let token = RefreshToken::generate(&Rng::from_seed(1));
        let successor = refresher(1).successor(&token);
        assert_eq!(refresher(1).successor(&token), successor);
        assert_ne!(refresher(2).successor(&token), successor);
        assert_ne!(successor, token);
    }
}
