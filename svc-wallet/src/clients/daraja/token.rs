//! Daraja's access token. A new one cancels the one before, so all replicas use
//! the same: it is kept in the cache that they share, and fetched by one of them
//! at a time, as far as the cache can tell. Whoever meets one that was cancelled
//! takes the next.

use std::{fmt::Write as _, time::Duration};

use mesh::cache::Cache;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tracing::{error, warn};
use types::{Clock, ExposeSecret, SecretString};

use super::{TOKEN_MARGIN, wire::TokenReply};
use crate::config::DarajaArgs;

/// How long a Daraja that gave no token is left alone.
const AWAY: Duration = Duration::from_secs(3);
/// The life of a token whose life cannot be read.
const SHORT_LIFE: Duration = Duration::from_mins(5);
/// How long another replica that fetches is waited for.
const FETCHING: Duration = Duration::from_secs(3);
/// Pause between two looks at whether it has.
const LOOK: Duration = Duration::from_millis(100);

pub(super) struct Tokens {
    http: reqwest::Client,
    url: String,
    consumer_key: SecretString,
    consumer_secret: SecretString,
    cache: Cache,
    /// Where replicas keep the token of this account of Daraja's, and where they say
    /// that they are fetching one.
    shared: String,
    fetching: String,
    clock: Clock,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    held: Option<Held>,
    /// Until then nobody asks again: Daraja was out of reach a moment ago, and
    /// everybody waiting in line would find that out for themselves.
    away_until: Option<OffsetDateTime>,
}

struct Held {
    token: String,
    good_until: OffsetDateTime,
}

impl Tokens {
    pub(super) fn new(
        http: reqwest::Client,
        args: &DarajaArgs,
        cache: Cache,
        clock: Clock,
    ) -> Self {
        let base = &args.daraja_base_url;
        let shared = format!("wallet:daraja:token:{}", name(&args.daraja_consumer_key));
        Self {
            http,
            url: format!("{base}/oauth/v1/generate?grant_type=client_credentials"),
            consumer_key: args.daraja_consumer_key.clone(),
            consumer_secret: args.daraja_consumer_secret.clone(),
            cache,
            fetching: format!("{shared}:fetching"),
            shared,
            clock,
            known: Mutex::default(),
        }
    }

    /// A token that is not `stale`: our own, another replica's, or a new one.
    /// `None` when Daraja gives none.
    pub(super) async fn get(&self, stale: Option<&str>) -> Option<String> {
        let mut known = self.known.lock().await;
        if let Some(own) = &known.held
            && stale != Some(&*own.token)
            && own.good_until > self.clock.now()
        {
            return Some(own.token.clone());
        }
        if let Some(token) = self.of_others(stale).await {
            // How long it lasts is known to whoever fetched it; ask again soon.
            let good_until = self.clock.now() + TOKEN_MARGIN;
            known.held = Some(Held { token: token.clone(), good_until });
            return Some(token);
        }
        if known.away_until.is_some_and(|until| self.clock.now() < until) {
            return None;
        }
        self.cache.put(&self.fetching, "yes", FETCHING).await;
        let fresh = self.fetch().await;
        if let Some(fresh) = &fresh {
            let (token, life) = (fresh.access_token.clone(), life(fresh));
            self.cache.put(&self.shared, &token, life).await;
            known.held = Some(Held { token, good_until: self.clock.now() + life });
        } else {
            known.away_until = Some(self.clock.now() + AWAY);
        }
        self.cache.put(&self.fetching, "no", FETCHING).await;
        fresh.map(|fresh| fresh.access_token)
    }

    /// The token that replicas share; one that is being fetched is waited for.
    async fn of_others(&self, stale: Option<&str>) -> Option<String> {
        let mut waited = Duration::ZERO;
        loop {
            let shared = self.cache.get(&self.shared).await;
            if shared.is_some() && shared.as_deref() != stale {
                return shared;
            }
            let fetching = self.cache.get(&self.fetching).await;
            if fetching.as_deref() != Some("yes") || waited >= FETCHING {
                return None;
            }
            tokio::time::sleep(LOOK).await;
            waited += LOOK;
        }
    }

    async fn fetch(&self) -> Option<TokenReply> {
        let (key, secret) =
            (self.consumer_key.expose_secret(), self.consumer_secret.expose_secret());
        let reply = self.http.get(&self.url).basic_auth(key, Some(secret)).send().await;
        match reply {
            Ok(reply) if reply.status().is_success() => reply.json().await.ok(),
            Ok(reply) => {
                error!(status = %reply.status(), "Daraja gives us no token");
                None
            }
            Err(error) => {
                warn!(error = %error.without_url(), "Daraja cannot be reached");
                None
            }
        }
    }
}

/// An account's name in the cache, where its key has no business.
fn name(consumer_key: &SecretString) -> String {
    let digest = Sha256::digest(consumer_key.expose_secret().as_bytes());
    digest[..16].iter().fold(String::with_capacity(32), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn life(reply: &TokenReply) -> Duration {
    let seconds = reply.expires_in.parse().map_or(SHORT_LIFE, Duration::from_secs);
    seconds.saturating_sub(TOKEN_MARGIN).max(TOKEN_MARGIN)
}
