//! The seeds of a tournament's rounds, which are sealed until its board is final.

use sha2::{Digest as _, Sha256};

/// Returns the seed of a round: the first 8 bytes of a digest of the tournament's secret and the
/// round.
pub(super) fn seed(secret: &[u8], round: u32) -> i64 {
    let digest = Sha256::new().chain_update(secret).chain_update(round.to_be_bytes()).finalize();
    let mut seed = [0; 8];
    seed.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(seed)
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
    }
}
