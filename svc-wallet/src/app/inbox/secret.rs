//! The secret in the path of a callback.

use sha2::{Digest, Sha256};
use types::Rng;

/// Generates a secret: 128 random bits in hex, so that it fits into a path and contains none of the
/// words that Daraja refuses in URLs.
pub(crate) fn generate(rng: &Rng) -> String {
    hex::encode(rng.bytes::<16>())
}

/// Returns the hash under which a secret is stored.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}
