//! The ticket: the credential with which a player ends a play session.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use types::Rng;

use crate::domain::PlaySessionId;

/// A session's id and its secret. Only the secret's hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Ticket {
    pub(crate) session: PlaySessionId,
    secret: [u8; 16],
}

impl Ticket {
    /// A ticket with a random secret.
    pub(crate) fn generate(session: PlaySessionId, rng: &Rng) -> Self {
        Self { session, secret: rng.bytes() }
    }

    /// Parses the text that a browser sends; `None` when it does not have the form of a ticket.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // 32 bytes are 43 characters of base64url.
        if text.len() != 43 {
            return None;
        }
        let bytes: [u8; 32] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
        let (id, secret) = bytes.split_first_chunk::<16>()?;
        let session = types::uuid::Uuid::from_bytes(*id).into();
        Some(Self { session, secret: secret.try_into().ok()? })
    }

    /// Returns the SHA-256 of the secret, which is stored. Comparing hashes leaks nothing of the
    /// secret through timing.
    pub(crate) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.secret).into()
    }

    /// Returns the text that is sent to the player.
    pub(crate) fn expose(&self) -> String {
        let id = self.session.uuid();
        URL_SAFE_NO_PAD.encode([id.as_bytes().as_slice(), &self.secret].concat())
    }
}

/// Hides the secret: it is a credential.
impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ticket({})", self.session)
    }
}

#[cfg(test)]
mod tests {
    use types::Clock;

    use super::*;

    #[test]
    fn a_ticket_parses_back_from_its_text() {
        let rng = Rng::from_seed(1);
        let session = PlaySessionId::generate(&Clock::system(), &rng);
        let ticket = Ticket::generate(session, &rng);
        assert_eq!(Ticket::parse(&ticket.expose()), Some(ticket.clone()));
        assert_ne!(Ticket::generate(session, &rng).hash(), ticket.hash());
        assert_eq!(format!("{ticket:?}"), format!("Ticket({session})"));
    }

    #[test]
    fn other_texts_are_not_tickets() {
        for text in ["", "short", &"A".repeat(44), &"!".repeat(43)] {
            assert_eq!(Ticket::parse(text), None, "{text}");
        }
    }
}
