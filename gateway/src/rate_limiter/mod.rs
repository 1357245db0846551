//! Counts calls: writes for all replicas together, by one call to Redis each, and reads in each
//! process (docs/decisions/0016). While Redis is out of reach all are counted in the process, so
//! that an outage neither refuses all calls nor lifts the limits.

mod rate_window;
mod score_window;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use mesh::args::SecretUrl;
use redis::{
    Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::time::{Instant, timeout};
use tracing::warn;

use self::rate_window::Windows;
pub(crate) use self::{
    rate_window::{RateKey, RateKind, RateSubject, RateWindow},
    score_window::score_window,
};

/// Longest that dialling Redis may take, unless a count may take longer.
const DIAL_LIMIT: Duration = Duration::from_secs(1);
/// How long Redis is not called after it failed, so that not every call waits for it.
const REDIS_PAUSE: Duration = Duration::from_secs(1);

/// Adds calls to a window that begins with its first call. Returns how many are in it and
/// for how many milliseconds it lasts. A key without an expiry (left by a write that was
/// cut off) is given one. Taking a call back from a window that is over leaves no key.
const ADD: &str = "
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count <= 0 then
    redis.call('DEL', KEYS[1])
    return {0, ARGV[2]}
end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    left = tonumber(ARGV[2])
end
return {count, left}";

/// Counts calls. Cheap to clone; clones count together.
#[derive(Clone)]
pub struct RateLimiter(Arc<Inner>);

struct Inner {
    redis: Option<Redis>,
    windows: Mutex<Windows>,
}

impl RateLimiter {
    /// Counts in the Redis at `url`, if there is one. A call waits for Redis for `limit` at
    /// most. Redis is dialled at first use.
    pub fn new(url: Option<&SecretUrl>, limit: Duration) -> anyhow::Result<Self> {
        let redis = url.map(|url| Redis::new(url, limit)).transpose()?;
        Ok(Self(Arc::new(Inner { redis, windows: Mutex::default() })))
    }

    /// Counts a call, and returns how many the window has. Refuses it when the window is full,
    /// with the time until its end.
    pub async fn count(&self, window: RateWindow) -> Result<u64, Duration> {
        if window.key.kind.is_exact()
            && let Some((count, left)) = self.add(window, 1).await
        {
            return if count <= u64::from(window.rate.limit) { Ok(count) } else { Err(left) };
        }
        self.windows().count(window, Instant::now())
    }

    /// Takes back a counted call that turned out not to matter. Only calls of exact windows may be
    /// given back.
    pub async fn give_back(&self, window: RateWindow) {
        if self.add(window, -1).await.is_none() {
            self.windows().give_back(window.key);
        }
    }

    async fn add(&self, window: RateWindow, calls: i64) -> Option<(u64, Duration)> {
        self.0.redis.as_ref()?.add(window, calls).await
    }

    fn windows(&self) -> MutexGuard<'_, Windows> {
        self.0.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The counts that the replicas share.
struct Redis {
    connection: ConnectionManager,
    script: Script,
    /// Longest that a call waits for a reply.
    limit: Duration,
    /// Redis is not called before this time.
    paused_until: Mutex<Option<Instant>>,
}

impl Redis {
    fn new(url: &SecretUrl, limit: Duration) -> anyhow::Result<Self> {
        let client = mesh::cache::open(url)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(limit.max(DIAL_LIMIT)))
            .set_response_timeout(Some(limit))
            .set_number_of_retries(1);
        Ok(Self {
            connection: client.get_connection_manager_lazy(config)?,
            script: Script::new(ADD),
            limit,
            paused_until: Mutex::default(),
        })
    }

    /// Adds calls to a window. Returns how many it has and the time until its end; `None` while
    /// Redis is out of reach.
    async fn add(&self, window: RateWindow, calls: i64) -> Option<(u64, Duration)> {
        if self.is_paused() {
            return None;
        }
        let mut connection = self.connection.clone();
        let mut invocation = self.script.key(window.key.to_string());
        let length = u64::try_from(window.rate.per.as_millis()).unwrap_or(u64::MAX);
        invocation.arg(calls).arg(length);
        let error = match timeout(self.limit, invocation.invoke_async(&mut connection)).await {
            Ok(Ok((count, left))) => return Some((count, Duration::from_millis(left))),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no reply in time".to_owned(),
        };
        warn!(error, "Redis is out of reach: calls are counted in this process");
        *self.paused() = Some(Instant::now() + REDIS_PAUSE);
        None
    }

    fn is_paused(&self) -> bool {
        self.paused().is_some_and(|until| Instant::now() < until)
    }

    fn paused(&self) -> MutexGuard<'_, Option<Instant>> {
        self.paused_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
