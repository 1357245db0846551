//! A cache in Redis: what it holds may be lost at any time.

use std::time::Duration;

use anyhow::Context as _;
use redis::{
    AsyncTypedCommands, Client, ExistenceCheck, IntoConnectionInfo as _, RedisResult, SetExpiry,
    SetOptions,
    aio::{ConnectionManager, ConnectionManagerConfig},
    io::tcp::TcpSettings,
};
use socket2::TcpKeepalive;
use tracing::debug;

use crate::args::SecretUrl;

/// Longest that a lookup may take; without a reply by then the caller does the work
/// itself.
const LIMIT: Duration = Duration::from_millis(300);

/// After this long without traffic, TCP keepalive probes Redis' host.
const KEEPALIVE: Duration = Duration::from_secs(10);

/// A cache that the replicas of one service share. Cheap to clone.
#[derive(Clone)]
pub struct Cache {
    redis: ConnectionManager,
}

impl Cache {
    /// Connects to Redis when it is first used.
    pub fn new(url: &SecretUrl) -> anyhow::Result<Self> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_number_of_retries(1);
        Ok(Self { redis: open(url)?.get_connection_manager_lazy(config)? })
    }

    /// The value of `key`; `None` when it is gone or Redis does not reply in time.
    pub async fn get(&self, key: &str) -> Option<String> {
        let mut redis = self.redis.clone();
        in_time(redis.get(key)).await.flatten()
    }

    /// Sets `key` to `value` for `ttl`, if Redis replies in time.
    pub async fn put(&self, key: &str, value: &str, ttl: Duration) {
        let mut redis = self.redis.clone();
        in_time(redis.set_ex(key, value, ttl.as_secs().max(1))).await;
    }

    /// Claims `key` for `ttl`: true for one of all callers at a time, until the claim is
    /// [removed](Self::remove) or ends. `None` when Redis does not reply in time.
    pub async fn claim(&self, key: &str, ttl: Duration) -> Option<bool> {
        let mut redis = self.redis.clone();
        let options = SetOptions::default()
            .conditional_set(ExistenceCheck::NX)
            .with_expiration(SetExpiry::EX(ttl.as_secs().max(1)));
        in_time(redis.set_options(key, "claimed", options)).await.map(|set| set.is_some())
    }

    /// Removes `key`, if Redis replies in time.
    pub async fn remove(&self, key: &str) {
        let mut redis = self.redis.clone();
        in_time(redis.del(key)).await;
    }
}

async fn in_time<T>(command: impl Future<Output = RedisResult<T>>) -> Option<T> {
    match tokio::time::timeout(LIMIT, command).await {
        Ok(Ok(reply)) => Some(reply),
        Ok(Err(error)) => {
            debug!(%error, "the cache did not reply");
            None
        }
        Err(_) => None,
    }
}

/// A client that uses RESP3, which pushes need, and TCP keepalive: without it the kernel
/// retries to a host that vanished for a quarter of an hour.
pub fn open(url: &SecretUrl) -> anyhow::Result<Client> {
    let alive = TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE / 2);
    let tcp = TcpSettings::default()
        .set_nodelay(true)
        .set_keepalive(alive)
        .set_user_timeout(KEEPALIVE + KEEPALIVE / 2);
    let info = with_resp3(url.expose()).into_connection_info();
    let client = info.and_then(|info| Client::open(info.set_tcp_settings(tcp)));
    // The cause could quote the URL, and its password.
    client.ok().context("the Redis URL cannot be parsed")
}

fn with_resp3(url: &str) -> String {
    if url.contains("protocol=") {
        url.to_owned()
    } else {
        let sign = if url.contains('?') { '&' } else { '?' };
        let slash = if url.matches('/').count() == 2 { "/" } else { "" };
        format!("{url}{slash}{sign}protocol=resp3")
    }
}

#[cfg(test)]
mod tests {
    use super::with_resp3;

    #[test]
    fn adds_the_protocol_to_a_url_without_one() {
        for (url, expected) in [
            ("redis://h:1", "redis://h:1/?protocol=resp3"),
            ("redis://h:1/2", "redis://h:1/2?protocol=resp3"),
            ("redis://h:1/?a=b", "redis://h:1/?a=b&protocol=resp3"),
            ("redis://h:1/?protocol=resp3", "redis://h:1/?protocol=resp3"),
        ] {
            assert_eq!(with_resp3(url), expected);
        }
    }
}
