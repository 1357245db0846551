//! Verified tokens, by hash.
//!
//! A player's calls come in bursts with one token, and an Ed25519 signature takes 50 µs
//! to verify: more than everything else that a read costs its service. The cache keeps
//! what the signature proved; expiry, keys and revoked sessions are checked at every call.

use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};

use super::Player;

/// Tokens that are kept: some 8 MiB.
const CAPACITY: usize = 65_536;

/// What a valid signature proved.
#[derive(Debug, Clone)]
pub(super) struct VerifiedToken {
    pub(super) player: Player,
    /// A hash of the key's id, to find out cheaply whether the key was withdrawn.
    pub(super) key: KeyHash,
}

/// The id of a signing key, by its hash.
pub(super) type KeyHash = u64;

/// A token by its hash, so that a memory dump contains no token.
pub(super) type TokenHash = [u8; 32];

/// The tokens that were verified last; sharded, so that calls do not wait for each other.
pub(super) struct TokenCache(Cache<TokenHash, VerifiedToken>);

impl Default for TokenCache {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

pub(super) fn hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

impl TokenCache {
    pub(super) fn get(&self, token: &TokenHash) -> Option<VerifiedToken> {
        self.0.get(token)
    }

    pub(super) fn insert(&self, token: TokenHash, verified: VerifiedToken) {
        self.0.insert(token, verified);
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, PlayerId, Rng, SessionId};

    use super::*;

    #[test]
    fn the_cache_is_bounded_and_keeps_what_is_used() {
        let (clock, rng) = (Clock::system(), Rng::system());
        let id = PlayerId::generate(&clock, &rng);
        let session = SessionId::generate(&clock, &rng);
        let verified = VerifiedToken {
            player: Player { id, session, expires_at: 0, money_from: None, break_until: None },
            key: 7,
        };
        let cache = TokenCache::default();
        let used = hash("used");
        cache.insert(used, verified.clone());
        for n in 0..2 * CAPACITY {
            cache.insert(hash(&n.to_string()), verified.clone());
            if n % 100 == 0 {
                assert!(cache.get(&used).is_some());
            }
        }
        assert!(cache.0.len() <= CAPACITY);
    }
}
