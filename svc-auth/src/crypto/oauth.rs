//! What one sign-in at a provider needs of secrets.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

use super::{Key, Token};

/// What an attempt is called in the provider's address, and found by when the browser
/// comes back.
pub(crate) type State = Token<AsState>;

/// What binds an attempt to the browser that began it.
pub(crate) type BrowserSecret = Token<AsBrowserSecret>;

/// What a page trades for the session of whoever came back.
pub(crate) type ExchangeCode = Token<AsExchangeCode>;

/// The use of a [`State`].
pub(crate) enum AsState {}

/// The use of a [`BrowserSecret`].
pub(crate) enum AsBrowserSecret {}

/// The use of an [`ExchangeCode`].
pub(crate) enum AsExchangeCode {}

/// Makes of a state what the provider's answer must prove to know. Being made again,
/// it need not be stored; and whoever sees the state in a URL cannot make it.
#[derive(Clone)]
pub(crate) struct Attempts(Key);

impl Attempts {
    pub(crate) fn new(key: Key) -> Self {
        Self(key)
    }

    /// PKCE's verifier: 43 characters (RFC 7636, section 4.1).
    pub(crate) fn verifier(&self, state: &State) -> String {
        URL_SAFE_NO_PAD.encode(self.0.mac("oauth-verifier", state.bytes()))
    }

    /// What an ID token must repeat.
    pub(crate) fn nonce(&self, state: &State) -> String {
        URL_SAFE_NO_PAD.encode(self.0.mac("oauth-nonce", state.bytes()))
    }
}

/// The verifier as the browser carries it (RFC 7636, section 4.2).
pub(crate) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

#[cfg(test)]
mod tests {
    use types::Rng;

    use super::*;

    fn attempts(byte: u8) -> Attempts {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        Attempts::new(Key::parse("OAUTH_SECRET", &secret.into()).unwrap())
    }

    #[test]
    fn a_challenge_is_the_verifiers_hash() {
        // RFC 7636, appendix B.
        assert_eq!(
            challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn verifier_and_nonce_are_made_again_and_need_the_secret() {
        let state = State::draw(&Rng::from_seed(1));
        let ours = attempts(1);
        assert_eq!(ours.verifier(&state), attempts(1).verifier(&state));
        assert_eq!(ours.verifier(&state).len(), 43);
        assert_ne!(ours.verifier(&state), ours.nonce(&state));
        assert_ne!(ours.verifier(&state), attempts(2).verifier(&state));
        assert_ne!(ours.nonce(&state), ours.nonce(&State::draw(&Rng::from_seed(2))));
    }
}
