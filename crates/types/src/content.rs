//! Ids of what operators publish.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// The id of a thing that operators publish under a key. It follows from kind (`Game`,
/// `Tournament`) and key, so that content of one service can refer to content of another, and
/// is the same in every database.
pub fn content_id(kind: &str, key: &str) -> Uuid {
    let digest = Sha256::digest(format!("{kind}/{key}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_follows_from_kind_and_key() {
        assert_eq!(content_id("Game", "ajua"), content_id("Game", "ajua"));
        assert_ne!(content_id("Game", "ajua"), content_id("Event", "ajua"));
        assert_ne!(content_id("Game", "ajua"), content_id("Game", "maneno"));
    }
}
