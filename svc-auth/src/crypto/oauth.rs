//! The secrets of one sign-in with a provider.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

use mesh::auth::MacKey;

use super::Token;

/// OAuth's `state`: identifies an attempt when the browser returns.
pub(crate) type State = Token<AsState>;

/// Binds an attempt to the browser that started it.
pub(crate) type BrowserSecret = Token<AsBrowserSecret>;

/// The one-time code that a page exchanges for the session.
pub(crate) type ExchangeCode = Token<AsExchangeCode>;

/// Marks a [`State`].
pub(crate) enum AsState {}

/// Marks a [`BrowserSecret`].
pub(crate) enum AsBrowserSecret {}

/// Marks an [`ExchangeCode`].
pub(crate) enum AsExchangeCode {}

/// Derives an attempt's PKCE verifier and nonce from its state and our secret. So they
/// need not be stored, and the state in a URL does not reveal them.
#[derive(Clone)]
pub(crate) struct OAuthSecrets(MacKey);

impl OAuthSecrets {
    pub(crate) fn new(key: MacKey) -> Self {
        Self(key)
    }

    /// PKCE's verifier: 43 characters (RFC 7636, section 4.1).
    pub(crate) fn verifier(&self, state: &State) -> String {
        URL_SAFE_NO_PAD.encode(self.0.mac("oauth-verifier", state.bytes()))
    }

    /// OpenID Connect's nonce, which the ID token has to contain.
    pub(crate) fn nonce(&self, state: &State) -> String {
        URL_SAFE_NO_PAD.encode(self.0.mac("oauth-nonce", state.bytes()))
    }
}

/// PKCE's challenge: the verifier's SHA-256 (RFC 7636, section 4.2).
pub(crate) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

#[cfg(test)]
mod tests {
    use types::Rng;

    use super::*;

    fn secrets(byte: u8) -> OAuthSecrets {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        OAuthSecrets::new(MacKey::parse("OAUTH_SECRET", &secret.into()).unwrap())
    }

    #[test]
    fn the_challenge_is_the_verifiers_hash() {
        // RFC 7636, appendix B.
        assert_eq!(
            challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn verifier_and_nonce_are_repeatable_and_need_the_secret() {
        let state = State::generate(&Rng::from_seed(1));
        let ours = secrets(1);
        assert_eq!(ours.verifier(&state), secrets(1).verifier(&state));
        assert_eq!(ours.verifier(&state).len(), 43);
        assert_ne!(ours.verifier(&state), ours.nonce(&state));
        assert_ne!(ours.verifier(&state), secrets(2).verifier(&state));
        assert_ne!(ours.nonce(&state), ours.nonce(&State::generate(&Rng::from_seed(2))));
    }
}
