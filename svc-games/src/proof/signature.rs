//! Results that a game's own server signs, by Ed25519.

use ed25519_dalek::{Signature, VerifyingKey};

use crate::domain::{PlaySessionId, ScoreKey};

impl ScoreKey {
    /// Whether the bytes are a public key that is not weak: a weak key accepts signatures that
    /// anyone can make.
    pub(crate) fn is_valid(&self) -> bool {
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| !key.is_weak())
    }

    /// Whether `signature` signs `{session id}.{points}`. A session takes one run, so a signature
    /// counts once.
    pub(crate) fn verify(&self, session: PlaySessionId, points: i32, signature: &[u8]) -> bool {
        let message = format!("{session}.{points}");
        let Ok(key) = VerifyingKey::from_bytes(&self.0) else { return false };
        let Ok(signature) = Signature::from_slice(signature) else { return false };
        key.verify_strict(message.as_bytes(), &signature).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer as _, SigningKey};
    use types::uuid::Uuid;

    use super::*;

    #[test]
    fn a_signature_is_for_one_session_and_its_points() {
        let signing = SigningKey::from_bytes(&[7; 32]);
        let key = ScoreKey(signing.verifying_key().to_bytes());
        let session = PlaySessionId::from(Uuid::from_u128(1));
        let message = b"00000000-0000-0000-0000-000000000001.-5";
        let signature = signing.sign(message).to_bytes();

        assert!(key.is_valid());
        assert!(key.verify(session, -5, &signature));
        assert!(!key.verify(session, 5, &signature));
        assert!(!key.verify(Uuid::from_u128(2).into(), -5, &signature));
        assert!(!key.verify(session, -5, &signature[..63]));
        assert!(!key.verify(session, -5, &[]));
        let other = ScoreKey(SigningKey::from_bytes(&[8; 32]).verifying_key().to_bytes());
        assert!(!other.verify(session, -5, &signature));
    }

    #[test]
    fn bytes_that_are_no_key_or_a_weak_one_are_not_valid() {
        // The neutral point is a weak key: anyone can sign for it.
        let mut neutral = [0; 32];
        neutral[0] = 1;
        assert!(!ScoreKey(neutral).is_valid());
        assert!(!ScoreKey([2; 32]).is_valid());
    }
}
