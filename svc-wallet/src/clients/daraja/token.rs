//! Daraja's access token. A new one cancels the one before, so all replicas use
//! the same: it is kept in the cache that they share, and fetched by one task of
//! a process at a time.

use std::time::Duration;

use mesh::cache::Cache;
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tracing::{error, warn};
use types::{Clock, ExposeSecret};

use super::{TOKEN_MARGIN, wire::TokenReply};
use crate::config::DarajaArgs;

const KEY: &str = "wallet:daraja:token";

/// How long a Daraja that gave no token is left alone.
const AWAY: Duration = Duration::from_secs(3);
/// The life of a token whose life cannot be read.
const SHORT_LIFE: Duration = Duration::from_mins(5);

pub(super) struct Tokens {
    cache: Cache,
    clock: Clock,
    held: Mutex<Option<Held>>,
    /// Until then nobody asks again: Daraja was out of reach a moment ago, and
    /// everybody waiting in line would find that out for themselves.
    away_until: Mutex<Option<OffsetDateTime>>,
}

#[derive(Clone)]
struct Held {
    token: String,
    good_until: OffsetDateTime,
}

impl Tokens {
    pub(super) fn new(cache: Cache, clock: Clock) -> Self {
        Self { cache, clock, held: Mutex::new(None), away_until: Mutex::new(None) }
    }

    /// A token that is not `stale`: our own, another replica's, or a new one.
    /// `None` when Daraja gives none.
    pub(super) async fn get(
        &self,
        http: &reqwest::Client,
        args: &DarajaArgs,
        stale: Option<&str>,
    ) -> Option<String> {
        let usable = |token: &str| stale != Some(token);
        let mut held = self.held.lock().await;
        if let Some(own) = &*held
            && usable(&own.token)
            && own.good_until > self.clock.now()
        {
            return Some(own.token.clone());
        }
        // One account of Daraja's, one token: the key names the account.
        let key = format!("{KEY}:{}", args.daraja_consumer_key.expose_secret());
        if let Some(shared) = self.cache.get(&key).await
            && usable(&shared)
        {
            // How long it lasts is known to whoever fetched it; ask again soon.
            let good_until = self.clock.now() + TOKEN_MARGIN;
            *held = Some(Held { token: shared.clone(), good_until });
            return Some(shared);
        }
        let mut away_until = self.away_until.lock().await;
        if away_until.is_some_and(|until| self.clock.now() < until) {
            return None;
        }
        let Some(fresh) = fetch(http, args).await else {
            *away_until = Some(self.clock.now() + AWAY);
            return None;
        };
        let life = life(&fresh);
        self.cache.put(&key, &fresh.access_token, life).await;
        let good_until = self.clock.now() + life;
        *held = Some(Held { token: fresh.access_token.clone(), good_until });
        Some(fresh.access_token)
    }
}

async fn fetch(http: &reqwest::Client, args: &DarajaArgs) -> Option<TokenReply> {
    let url = format!(
        "{}/oauth/v1/generate?grant_type=client_credentials",
        args.daraja_base_url.trim_end_matches('/')
    );
    let key = args.daraja_consumer_key.expose_secret();
    let secret = args.daraja_consumer_secret.expose_secret();
    let reply = http.get(url).basic_auth(key, Some(secret)).send().await;
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

fn life(reply: &TokenReply) -> Duration {
    let seconds = reply.expires_in.parse().map_or(SHORT_LIFE, Duration::from_secs);
    seconds.saturating_sub(TOKEN_MARGIN).max(TOKEN_MARGIN)
}
