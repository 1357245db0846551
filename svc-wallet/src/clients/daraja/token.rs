//! Daraja's access token. A new token cancels the one before, so replicas share one token in Redis,
//! and the replica that holds a claim there fetches the next. Without Redis each replica fetches
//! its own, and retries with another when its token was cancelled.

use std::time::Duration;

use mesh::cache::Cache;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tracing::{error, warn};
use types::{Clock, ExposeSecret, SecretString};

use super::wire::TokenReply;
use crate::config::DarajaArgs;

/// Pause between a failed fetch and the next.
const FETCH_PAUSE: Duration = Duration::from_secs(3);
/// Lifetime of a token whose own lifetime cannot be parsed.
const DEFAULT_LIFETIME: Duration = Duration::from_mins(5);
/// A token is replaced this long before it expires.
const MARGIN: Duration = Duration::from_mins(1);
/// Lifetime of a replica's claim, and longest that other replicas wait for it.
const CLAIM: Duration = Duration::from_secs(3);
/// Pause between two reads of the shared token while another replica holds the claim.
const POLL: Duration = Duration::from_millis(100);

pub(super) struct Tokens {
    http: reqwest::Client,
    url: String,
    consumer_key: SecretString,
    consumer_secret: SecretString,
    cache: Cache,
    /// The key in Redis of the shared token.
    token_key: String,
    /// The key in Redis of the claim to fetch the next token.
    claim_key: String,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cached: Option<CachedToken>,
    /// The time until which no fetch is tried, after a failed one: callers that waited for the lock
    /// must not all repeat it.
    paused_until: Option<OffsetDateTime>,
}

struct CachedToken {
    token: String,
    expires_at: OffsetDateTime,
}

/// The source of the next token.
enum Next {
    /// Another replica shared it.
    Use(String),
    /// This replica fetches it: it holds the claim, or waited for the holder in vain, or
    /// Redis is out of reach.
    Fetch { claimed: bool },
}

impl Tokens {
    pub(super) fn new(
        http: reqwest::Client,
        args: &DarajaArgs,
        cache: Cache,
        clock: Clock,
    ) -> Self {
        let base = &args.daraja_base_url;
        let token_key = format!("wallet:daraja:token:{}", account(&args.daraja_consumer_key));
        Self {
            http,
            url: format!("{base}/oauth/v1/generate?grant_type=client_credentials"),
            consumer_key: args.daraja_consumer_key.clone(),
            consumer_secret: args.daraja_consumer_secret.clone(),
            cache,
            claim_key: format!("{token_key}:claim"),
            token_key,
            clock,
            state: Mutex::default(),
        }
    }

    /// Returns a token other than `refused`: this replica's, another replica's, or a new one.
    /// `None` when Daraja does not issue one.
    pub(super) async fn get(&self, refused: Option<&str>) -> Option<String> {
        let mut state = self.state.lock().await;
        if let Some(cached) = &state.cached
            && refused != Some(&*cached.token)
            && cached.expires_at > self.clock.now()
        {
            return Some(cached.token.clone());
        }
        let claimed = match self.shared_or_claim(refused).await {
            Next::Use(token) => {
                // The token's lifetime is known only to the replica that fetched it.
                let expires_at = self.clock.now() + MARGIN;
                state.cached = Some(CachedToken { token: token.clone(), expires_at });
                return Some(token);
            }
            Next::Fetch { claimed } => claimed,
        };
        let fetched = self.fetch_unless_paused(&mut state).await;
        if claimed {
            self.cache.remove(&self.claim_key).await;
        }
        fetched
    }

    /// Returns the token that replicas share, or whether this replica fetches the next.
    async fn shared_or_claim(&self, refused: Option<&str>) -> Next {
        let mut waited = Duration::ZERO;
        loop {
            let claim = self.cache.claim(&self.claim_key, CLAIM).await;
            let claimed = claim == Some(true);
            // Read the token after the claim, because the claim's last holder shared a token before
            // it removed the claim.
            let shared = self.cache.get(&self.token_key).await;
            if let Some(token) = shared.filter(|token| refused != Some(&**token)) {
                if claimed {
                    self.cache.remove(&self.claim_key).await;
                }
                return Next::Use(token);
            }
            if claim != Some(false) || waited >= CLAIM {
                return Next::Fetch { claimed };
            }
            tokio::time::sleep(POLL).await;
            waited += POLL;
        }
    }

    /// Fetches a token, caches it and shares it.
    async fn fetch_unless_paused(&self, state: &mut State) -> Option<String> {
        let now = self.clock.now();
        if state.paused_until.is_some_and(|until| now < until) {
            return None;
        }
        let Some(reply) = self.fetch().await else {
            state.paused_until = Some(self.clock.now() + FETCH_PAUSE);
            return None;
        };
        let lifetime = lifetime(&reply);
        let token = reply.access_token;
        self.cache.put(&self.token_key, &token, lifetime).await;
        let expires_at = self.clock.now() + lifetime;
        state.cached = Some(CachedToken { token: token.clone(), expires_at });
        Some(token)
    }

    async fn fetch(&self) -> Option<TokenReply> {
        let (key, secret) =
            (self.consumer_key.expose_secret(), self.consumer_secret.expose_secret());
        let reply = self.http.get(&self.url).basic_auth(key, Some(secret)).send().await;
        match reply {
            Ok(reply) if reply.status().is_success() => reply.json().await.ok(),
            Ok(reply) => {
                error!(status = %reply.status(), "Daraja refused to issue a token");
                None
            }
            Err(error) => {
                warn!(error = %error.without_url(), "cannot reach Daraja");
                None
            }
        }
    }
}

/// Returns a digest of the consumer key, for keys in Redis: the consumer key itself is a secret.
fn account(consumer_key: &SecretString) -> String {
    let digest = Sha256::digest(consumer_key.expose_secret().as_bytes());
    hex::encode(&digest[..16])
}

fn lifetime(reply: &TokenReply) -> Duration {
    let lifetime = reply.expires_in.parse().map_or(DEFAULT_LIFETIME, Duration::from_secs);
    lifetime.saturating_sub(MARGIN).max(MARGIN)
}
