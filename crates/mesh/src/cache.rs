//! What Redis may hold for a while and lose at any time.

use std::time::Duration;

use anyhow::Context as _;
use redis::{
    AsyncTypedCommands, Client, IntoConnectionInfo as _, RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
    io::tcp::TcpSettings,
};
use socket2::TcpKeepalive;
use tracing::debug;

use crate::args::SecretUrl;

/// Longest that looking something up may hold up its caller; without an answer
/// by then the caller does the work itself.
const LIMIT: Duration = Duration::from_millis(300);

/// How long nothing is heard of Redis before its host is asked whether it is there.
const SILENCE: Duration = Duration::from_secs(10);

/// A shared memory of the replicas of one service. Cheap to clone.
#[derive(Clone)]
pub struct Cache {
    redis: ConnectionManager,
}

impl Cache {
    /// A cache at a URL. Needs no Redis to start.
    pub fn new(url: &SecretUrl) -> anyhow::Result<Self> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_number_of_retries(1);
        Ok(Self { redis: open(url)?.get_connection_manager_lazy(config)? })
    }

    /// What was put under `key`, if it is still there and Redis answers.
    pub async fn get(&self, key: &str) -> Option<String> {
        let mut redis = self.redis.clone();
        answered(redis.get(key)).await.flatten()
    }

    /// Keeps `value` under `key` for `ttl`. Best effort.
    pub async fn put(&self, key: &str, value: &str, ttl: Duration) {
        let mut redis = self.redis.clone();
        answered(redis.set_ex(key, value, ttl.as_secs().max(1))).await;
    }
}

async fn answered<T>(command: impl Future<Output = RedisResult<T>>) -> Option<T> {
    match tokio::time::timeout(LIMIT, command).await {
        Ok(Ok(answer)) => Some(answer),
        Ok(Err(error)) => {
            debug!(%error, "the cache did not answer");
            None
        }
        Err(_) => None,
    }
}

/// A client that speaks RESP3, which pushes need, and notices a Redis that went without
/// a word: the kernel would keep trying for a quarter of an hour.
pub fn open(url: &SecretUrl) -> anyhow::Result<Client> {
    let alive = TcpKeepalive::new().with_time(SILENCE).with_interval(SILENCE / 2);
    let tcp = TcpSettings::default()
        .set_nodelay(true)
        .set_keepalive(alive)
        .set_user_timeout(SILENCE + SILENCE / 2);
    let info = with_resp3(url.expose()).into_connection_info();
    let client = info.and_then(|info| Client::open(info.set_tcp_settings(tcp)));
    // The cause could quote the URL, and with it a password.
    client.ok().context("the Redis URL cannot be read")
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
    fn the_protocol_is_added_where_the_url_has_none() {
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
