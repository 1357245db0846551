//! The seeds of a tournament's rounds, which are sealed until its board is final.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

/// Returns the seed of a round: the first 8 bytes of a digest of the tournament's secret and the
/// round.
pub(super) fn seed(secret: &[u8], round: u32) -> i64 {
    let digest = Sha256::new().chain_update(secret).chain_update(round.to_be_bytes()).finalize();
    let mut seed = [0; 8];
    seed.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(seed)
}

/// Returns the key from which the seeds of a round's live runs follow: HMAC-SHA256 of the round with
/// the tournament's secret.
pub(super) fn piece_key(secret: &[u8], round: u32) -> [u8; 32] {
    // HMAC takes a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return [0; 32] };
    mac.update(&round.to_be_bytes());
    mac.finalize().into_bytes().into()
}

/// Returns the digest of a secret, which anybody may see before the seeds are known.
pub(super) fn seal(secret: &[u8]) -> [u8; 32] {
    Sha256::digest(secret).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_of_one_secret_and_one_round() {
        let digest = Sha256::digest([[7; 32].as_slice(), &[0, 0, 0, 2]].concat());
        assert_eq!(seed(&[7; 32], 2).to_be_bytes(), digest[..8]);
        assert_ne!(seed(&[7; 32], 2), seed(&[7; 32], 3));
        assert_ne!(seed(&[7; 32], 2), seed(&[8; 32], 2));
        assert_ne!(seal(&[7; 32]), seal(&[8; 32]));
        let key = "29430d90c3ed9c93a05b7fccc5ce6bcb3afe6bee133c2c3d12d62a13c9e00c09";
        assert_eq!(hex::encode(piece_key(&[7; 32], 1)), key);
        assert_ne!(piece_key(&[7; 32], 2), piece_key(&[7; 32], 3));
        assert_ne!(piece_key(&[7; 32], 2), piece_key(&[8; 32], 2));
    }
}
