//! What one sign-in at a provider needs of secrets.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use types::Chance;

use super::Key;

/// 256 bits that are good once: a state, what binds it to a browser, a code for a
/// session. Only the hash is ever stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Ticket([u8; 32]);

impl Ticket {
    /// A new one.
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
    pub(crate) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }

    /// Whether this is the one that was stored, in a time that tells nothing.
    pub(crate) fn is(&self, stored: &[u8]) -> bool {
        self.hash().ct_eq(stored).into()
    }

    /// What the client is sent.
    pub(crate) fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

/// Says nothing: it is a credential.
impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticket(…)")
    }
}

/// Makes of a state what the provider's answer must prove to know. Being made again,
/// it need not be stored; and whoever sees the state in a URL cannot make it.
#[derive(Clone)]
pub(crate) struct Attempts(Key);

impl Attempts {
    pub(crate) fn new(key: Key) -> Self {
        Self(key)
    }

    /// PKCE's verifier: 43 characters (RFC 7636, section 4.1).
    pub(crate) fn verifier(&self, state: &Ticket) -> String {
        URL_SAFE_NO_PAD.encode(self.0.mac("oauth-verifier", &state.0))
    }

    /// What an ID token must repeat.
    pub(crate) fn nonce(&self, state: &Ticket) -> String {
        URL_SAFE_NO_PAD.encode(self.0.mac("oauth-nonce", &state.0))
    }
}

/// The verifier as the browser carries it (RFC 7636, section 4.2).
pub(crate) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

#[cfg(test)]
mod tests {
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
        let state = Ticket::draw(&Chance::from_seed(1));
        let ours = attempts(1);
        assert_eq!(ours.verifier(&state), attempts(1).verifier(&state));
        assert_eq!(ours.verifier(&state).len(), 43);
        assert_ne!(ours.verifier(&state), ours.nonce(&state));
        assert_ne!(ours.verifier(&state), attempts(2).verifier(&state));
        assert_ne!(ours.nonce(&state), ours.nonce(&Ticket::draw(&Chance::from_seed(2))));
    }

    #[test]
    fn a_ticket_is_known_by_its_hash() {
        let ticket = Ticket::draw(&Chance::from_seed(1));
        let read = Ticket::parse(&ticket.reveal()).unwrap();
        assert!(read.is(&ticket.hash()));
        assert!(!Ticket::draw(&Chance::from_seed(2)).is(&ticket.hash()));
        assert!(!ticket.is(&[]));
        for text in ["", "short", &"A".repeat(44), &"é".repeat(22), &"!".repeat(43)] {
            assert_eq!(Ticket::parse(text), None, "{text}");
        }
    }
}
