//! The public keys that sign access tokens.

use std::{collections::HashMap, time::Duration};

use jsonwebtoken::{DecodingKey, jwk::JwkSet};
use proto::auth::v1::{GetKeySetRequest, key_service_client::KeyServiceClient};
use tokio::{
    sync::{Mutex, RwLock},
    time::Instant,
};
use tracing::warn;

use crate::grpc::client::Upstream;

/// How often the keys are fetched anew, so that a withdrawn key is forgotten. While
/// svc-auth is away the last known keys stay good: an outage signs nobody out.
pub(super) const MAX_AGE: Duration = Duration::from_mins(1);
/// Least time between two fetches for unknown keys, so that forged key ids
/// cannot make every call a call to svc-auth.
const MIN_AGE: Duration = Duration::from_secs(2);
/// The same after a fetch that failed: services start in any order, and what was not
/// there a moment ago may be there now.
pub(super) const RETRY: Duration = Duration::from_millis(250);

/// What is known of a key.
pub(super) enum Known {
    Key(DecodingKey),
    /// svc-auth has no such key.
    Unknown,
    /// svc-auth is out of reach.
    Unreachable,
}

/// The keys that are believed.
pub(super) struct Keys {
    /// `None`: these keys are all there are, as svc-auth and tests have them.
    source: Option<KeyServiceClient<Upstream>>,
    by_id: RwLock<HashMap<String, DecodingKey>>,
    /// When somebody last tried to fetch, and whether it worked. Held while
    /// fetching, so that one call at a time does.
    fetched: Mutex<Option<(Instant, bool)>>,
}

impl Keys {
    /// The keys of one set.
    pub(super) fn fixed(jwks_json: &str) -> anyhow::Result<Self> {
        let by_id = RwLock::new(read(jwks_json)?);
        Ok(Self { source: None, by_id, fetched: Mutex::default() })
    }

    /// The keys that svc-auth publishes, fetched when first needed.
    pub(super) fn remote(upstream: Upstream) -> Self {
        let source = Some(KeyServiceClient::new(upstream));
        Self { source, by_id: RwLock::default(), fetched: Mutex::default() }
    }

    /// The key of an id. One that was not seen before is a rotation, or a
    /// forgery: svc-auth is asked.
    pub(super) async fn get(&self, id: &str) -> Known {
        if let Some(key) = self.by_id.read().await.get(id) {
            return Known::Key(key.clone());
        }
        let reached = self.refresh().await;
        match self.by_id.read().await.get(id) {
            Some(key) => Known::Key(key.clone()),
            None if reached => Known::Unknown,
            None => Known::Unreachable,
        }
    }

    /// Whether a key is still one of them.
    pub(super) async fn has(&self, id: &str) -> bool {
        self.by_id.read().await.contains_key(id)
    }

    /// Fetches the keys unless somebody just tried; true when what is cached is
    /// what svc-auth says.
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
        let keys = match client.clone().get_key_set(GetKeySetRequest {}).await {
            Ok(reply) => read(&reply.into_inner().jwks_json),
            Err(status) => Err(status.into()),
        };
        let reached = match keys {
            Ok(keys) => {
                *self.by_id.write().await = keys;
                true
            }
            Err(error) => {
                // Said once, however long it lasts.
                if fetched.is_none_or(|(_, reached)| reached) {
                    warn!(error = format!("{error:#}"), "could not fetch the signing keys");
                }
                false
            }
        };
        *fetched = Some((Instant::now(), reached));
        reached
    }
}

fn read(jwks_json: &str) -> anyhow::Result<HashMap<String, DecodingKey>> {
    let set: JwkSet = serde_json::from_str(jwks_json)?;
    let mut by_id = HashMap::new();
    for jwk in &set.keys {
        if let Some(id) = &jwk.common.key_id {
            by_id.insert(id.clone(), DecodingKey::from_jwk(jwk)?);
        }
    }
    Ok(by_id)
}
