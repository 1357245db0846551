//! The public keys that sign access tokens.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use jsonwebtoken::{DecodingKey, jwk::JwkSet};
use proto::auth::v1::{GetKeySetRequest, key_service_client::KeyServiceClient};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};
use tracing::warn;

use super::token_cache::KeyHash;
use crate::grpc::client::Upstream;

/// How often the keys are fetched again, so that a withdrawn key is no longer accepted.
/// While svc-auth is out of reach the last known keys stay valid: an outage ends no session.
pub(super) const MAX_AGE: Duration = Duration::from_mins(1);
/// Least time between two fetches for unknown keys, so that forged key ids cannot make
/// every call a call to svc-auth.
const MIN_AGE: Duration = Duration::from_secs(2);
/// Least time between two fetches after one that failed: services start in any order, so svc-auth
/// may be there a moment later.
pub(super) const RETRY: Duration = Duration::from_millis(250);

/// Longest that a fetch may take: calls with unknown keys wait for it.
const FETCH_LIMIT: Duration = Duration::from_secs(2);

/// The result of looking up a key.
pub(super) enum Lookup {
    Found(DecodingKey),
    /// svc-auth has no such key.
    Unknown,
    /// svc-auth is out of reach.
    Unavailable,
}

/// The keys that are accepted. Readers never wait: a new set replaces the old one in one
/// atomic swap.
pub(super) struct Keys {
    /// `None` when the set is fixed, as in svc-auth itself and in tests.
    source: Option<KeyServiceClient<Upstream>>,
    by_hash: ArcSwap<HashMap<KeyHash, DecodingKey>>,
    /// When the last fetch was, and whether it succeeded. The lock is held while fetching, so that
    /// one call at a time fetches.
    fetched: Mutex<Option<(Instant, bool)>>,
}

/// The hash that a key is found by.
pub(super) fn key_hash(id: &str) -> KeyHash {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

impl Keys {
    /// The keys of one set.
    pub(super) fn fixed(jwks_json: &str) -> anyhow::Result<Self> {
        let by_hash = ArcSwap::from_pointee(parse(jwks_json)?);
        Ok(Self { source: None, by_hash, fetched: Mutex::default() })
    }

    /// The keys that svc-auth publishes, fetched when first needed.
    pub(super) fn remote(upstream: Upstream) -> Self {
        let source = Some(KeyServiceClient::new(upstream));
        Self { source, by_hash: ArcSwap::default(), fetched: Mutex::default() }
    }

    /// The key of an id. An unknown id is a rotation or a forgery, so the keys are fetched
    /// again.
    pub(super) async fn get(&self, key: KeyHash) -> Lookup {
        if let Some(key) = self.by_hash.load().get(&key) {
            return Lookup::Found(key.clone());
        }
        let reached = self.refresh().await;
        match self.by_hash.load().get(&key) {
            Some(key) => Lookup::Found(key.clone()),
            None if reached => Lookup::Unknown,
            None => Lookup::Unavailable,
        }
    }

    /// Whether a key is still accepted.
    pub(super) fn contains(&self, key: KeyHash) -> bool {
        self.by_hash.load().contains_key(&key)
    }

    /// Fetches the keys unless that was just tried; true when the cached set is current.
    pub(super) async fn refresh(&self) -> bool {
        let Some(client) = &self.source else {
            return true;
        };
        let mut fetched = self.fetched.lock().await;
        if let Some((at, reached)) = *fetched
            && at.elapsed() < if reached { MIN_AGE } else { RETRY }
        {
            return reached;
        }
        let mut client = client.clone();
        let fetching = timeout(FETCH_LIMIT, client.get_key_set(GetKeySetRequest {}));
        let keys = match fetching.await {
            Ok(Ok(reply)) => parse(&reply.into_inner().jwks_json),
            Ok(Err(status)) => Err(status.into()),
            Err(elapsed) => Err(elapsed.into()),
        };
        let reached = match keys {
            Ok(keys) => {
                self.by_hash.store(Arc::new(keys));
                true
            }
            Err(error) => {
                // Logged once for each outage.
                if fetched.is_none_or(|(_, reached)| reached) {
                    warn!(error = format!("{error:#}"), "cannot fetch the signing keys");
                }
                false
            }
        };
        *fetched = Some((Instant::now(), reached));
        reached
    }
}

fn parse(jwks_json: &str) -> anyhow::Result<HashMap<KeyHash, DecodingKey>> {
    let set: JwkSet = serde_json::from_str(jwks_json)?;
    let mut by_hash = HashMap::new();
    for jwk in &set.keys {
        if let Some(id) = &jwk.common.key_id {
            by_hash.insert(key_hash(id), DecodingKey::from_jwk(jwk)?);
        }
    }
    Ok(by_hash)
}
