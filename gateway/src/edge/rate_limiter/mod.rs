//! Counts calls for all replicas together, in Redis. While Redis is out of reach they are
//! counted in the process, so that an outage neither refuses all calls nor lifts the limits.
//!
//! Reads are counted in the process, and their sums exchanged with Redis every 200 ms
//! (docs/decisions/0016). Everything else costs one call to Redis.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use mesh::{Shutdown, args::SecretUrl};
use redis::{
    RedisResult, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tracing::warn;

use super::rate_window::{Change, RateKey, RateWindow, Total, Windows};

/// The pause between two exchanges of sums with Redis.
const EXCHANGE_INTERVAL: Duration = Duration::from_millis(200);
/// Most windows of one exchange; the rest waits for the next.
const EXCHANGE_BATCH: usize = 10_000;
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
    /// Counts in the Redis at `url`, if there is one, and exchanges sums with it until the
    /// stop. A call waits for Redis for `limit` at most. Redis is dialled at first use.
    pub fn start(
        url: Option<&SecretUrl>,
        limit: Duration,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Self> {
        let limiter = Self::new(url, limit)?;
        if limiter.0.redis.is_some() {
            let (limiter, stop) = (limiter.clone(), shutdown.clone());
            shutdown.spawn("rate limits", async move {
                let mut ticks = interval(EXCHANGE_INTERVAL);
                ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
                while !stop.is_stopping() {
                    tokio::select! {
                        _ = ticks.tick() => {}
                        () = stop.stopping() => {}
                    }
                    limiter.exchange().await;
                }
            });
        }
        Ok(limiter)
    }

    fn new(url: Option<&SecretUrl>, limit: Duration) -> anyhow::Result<Self> {
        let redis = url.map(|url| Redis::new(url, limit)).transpose()?;
        Ok(Self(Arc::new(Inner { redis, windows: Mutex::default() })))
    }

    /// Counts a call, and returns how many the window has. Refuses it when the window is full,
    /// with the time until its end.
    pub async fn count(&self, window: RateWindow) -> Result<u64, Duration> {
        let is_exact = window.key.kind.is_exact();
        if is_exact && let Some(total) = self.add(window, 1).await {
            let is_within = total.count <= u64::from(window.rate.limit);
            return if is_within { Ok(total.count) } else { Err(total.left) };
        }
        let exchanged = !is_exact && self.0.redis.is_some();
        self.windows().count(window, exchanged, Instant::now())
    }

    /// Takes back a call that was counted and turned out not to matter; of exact windows
    /// only.
    pub async fn give_back(&self, window: RateWindow) {
        if self.add(window, -1).await.is_none() {
            self.windows().give_back(window.key);
        }
    }

    async fn add(&self, window: RateWindow, calls: i64) -> Option<Total> {
        self.0.redis.as_ref()?.add(window.key, window.rate.per, calls).await
    }

    /// Adds the calls since the last exchange to Redis, and takes over its sums.
    async fn exchange(&self) {
        let Some(redis) = &self.0.redis else { return };
        if redis.is_paused() {
            self.windows().postpone_changes();
            return;
        }
        let changes = self.windows().take_changes(EXCHANGE_BATCH, Instant::now());
        if changes.is_empty() {
            return;
        }
        if let Some(totals) = redis.add_all(&changes).await {
            self.windows().merge(&changes, &totals, Instant::now());
        }
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
    /// Not called before then.
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

    /// Adds calls to one window; `None` while Redis is out of reach.
    async fn add(&self, key: RateKey, length: Duration, calls: i64) -> Option<Total> {
        if self.is_paused() {
            return None;
        }
        let mut connection = self.connection.clone();
        let mut invocation = self.script.key(key.to_string());
        invocation.arg(calls).arg(milliseconds(length));
        self.reply(invocation.invoke_async(&mut connection)).await.map(total)
    }

    /// Adds calls to many windows, in one round trip; `None` while Redis is out of reach.
    async fn add_all(&self, changes: &[Change]) -> Option<Vec<Total>> {
        let mut pipeline = redis::pipe();
        pipeline.load_script(&self.script).ignore();
        for &Change { key, calls, length } in changes {
            let mut invocation = self.script.key(key.to_string());
            pipeline.invoke_script(invocation.arg(calls).arg(milliseconds(length)));
        }
        let mut connection = self.connection.clone();
        let totals: Vec<_> = self.reply(pipeline.query_async(&mut connection)).await?;
        Some(totals.into_iter().map(total).collect())
    }

    async fn reply<T>(&self, call: impl Future<Output = RedisResult<T>>) -> Option<T> {
        let error = match tokio::time::timeout(self.limit, call).await {
            Ok(Ok(reply)) => return Some(reply),
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

fn total((count, left): (u64, u64)) -> Total {
    Total { count, left: Duration::from_millis(left) }
}

fn milliseconds(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
