//! Counting within windows of time: in Redis for all replicas together, and in
//! memory while Redis is away, so that its loss neither blocks everybody nor
//! opens everything.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use mesh::args::SecretUrl;
use redis::{
    Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::time::Instant;
use tracing::warn;

use crate::config::Rate;

/// Longest that dialling Redis may take, unless a count may take longer.
const DIAL_LIMIT: Duration = Duration::from_secs(1);
/// How long Redis is left alone after it failed, so that not every call waits
/// for it.
const SHARED_PAUSE: Duration = Duration::from_secs(1);
/// Windows kept in memory; enough for every subscriber of a busy minute.
const LOCAL_WINDOWS: usize = 100_000;

/// Adds to a window that begins with its first call, and says how much is in it
/// and how many milliseconds it has left. A key without an end (a write that was
/// cut off) is given one. What is taken out of a window that is over leaves nothing.
const COUNT: &str = "
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

/// Somebody's calls of one kind, within a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Of which kind.
    pub name: &'static str,
    /// How many are allowed.
    pub rate: Rate,
    /// Whose.
    pub whose: String,
}

impl Window {
    /// `gateway.rate.{kind}.{whose}`; lives as long as the window.
    fn key(&self) -> (String, Duration) {
        let key = format!("gateway.rate.{}.{}", self.name, self.whose);
        (key, self.rate.per)
    }

    fn judge(&self, count: u64, left: Duration) -> Result<(), Duration> {
        if count <= u64::from(self.rate.limit) { Ok(()) } else { Err(left) }
    }
}

/// Counts.
pub struct Limiter {
    shared: Option<Shared>,
    local: Mutex<HashMap<String, Local>>,
}

struct Shared {
    redis: ConnectionManager,
    script: Script,
    /// Longest that counting may hold up a call.
    limit: Duration,
    /// Not to be asked before then.
    resting: Mutex<Option<Instant>>,
}

#[derive(Clone, Copy)]
struct Local {
    count: u64,
    ends: Instant,
}

impl Limiter {
    /// Counts in Redis, if there is a URL of one, within a limit; dials when it is first
    /// needed.
    pub fn new(redis: Option<&SecretUrl>, limit: Duration) -> anyhow::Result<Self> {
        let shared = redis.map(|url| Shared::new(url, limit)).transpose()?;
        Ok(Self { shared, local: Mutex::default() })
    }

    /// Counts a call; when the window is full, says how long it has left.
    pub async fn count(&self, window: &Window) -> Result<(), Duration> {
        let (count, left) = self.add(window, 1).await;
        window.judge(count, left)
    }

    /// Takes a call out again that was counted and turned out not to matter.
    pub async fn give_back(&self, window: &Window) {
        self.add(window, -1).await;
    }

    async fn add(&self, window: &Window, calls: i64) -> (u64, Duration) {
        match &self.shared {
            Some(shared) => match shared.add(window, calls).await {
                Some(counted) => counted,
                None => self.add_locally(window, calls),
            },
            None => self.add_locally(window, calls),
        }
    }

    fn add_locally(&self, window: &Window, calls: i64) -> (u64, Duration) {
        let now = Instant::now();
        let (key, per) = window.key();
        let mut windows = self.local.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= LOCAL_WINDOWS {
            windows.retain(|_, local| local.ends > now);
            if windows.len() >= LOCAL_WINDOWS {
                forget_a_quarter(&mut windows);
            }
        }
        let fresh = Local { count: 0, ends: now + per };
        let local = windows.entry(key).or_insert(fresh);
        if local.ends <= now {
            *local = fresh;
        }
        local.count = local.count.saturating_add_signed(calls);
        (local.count, local.ends - now)
    }
}

/// Those that would be over first. Forgetting lets some through; growing would let
/// nobody.
fn forget_a_quarter(windows: &mut HashMap<String, Local>) {
    let mut ends: Vec<Instant> = windows.values().map(|local| local.ends).collect();
    let quarter = ends.len() / 4;
    let (_, last, _) = ends.select_nth_unstable(quarter);
    let last = *last;
    windows.retain(|_, local| local.ends > last);
}

impl Shared {
    fn new(url: &SecretUrl, limit: Duration) -> anyhow::Result<Self> {
        let client = mesh::cache::open(url)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(limit.max(DIAL_LIMIT)))
            .set_response_timeout(Some(limit))
            .set_number_of_retries(1);
        Ok(Self {
            redis: client.get_connection_manager_lazy(config)?,
            script: Script::new(COUNT),
            limit,
            resting: Mutex::default(),
        })
    }

    /// What is in the window and what it has left, or nothing while Redis is
    /// away.
    async fn add(&self, window: &Window, calls: i64) -> Option<(u64, Duration)> {
        if self.rests() {
            return None;
        }
        let (key, per) = window.key();
        let mut redis = self.redis.clone();
        let mut invocation = self.script.key(key);
        invocation.arg(calls).arg(u64::try_from(per.as_millis()).unwrap_or(u64::MAX));
        let counting = invocation.invoke_async::<(u64, u64)>(&mut redis);
        let trouble = match tokio::time::timeout(self.limit, counting).await {
            Ok(Ok((count, left))) => return Some((count, Duration::from_millis(left))),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer in time".to_owned(),
        };
        warn!(error = trouble, "counting calls without Redis");
        *self.resting.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Instant::now() + SHARED_PAUSE);
        None
    }

    fn rests(&self) -> bool {
        let resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        resting.is_some_and(|until| Instant::now() < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);

    fn window(whose: &str) -> Window {
        Window {
            name: "test",
            rate: Rate { limit: 2, per: Duration::from_mins(1) },
            whose: whose.to_owned(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_window_says_how_long_it_has_left() {
        let limiter = Limiter::new(None, LIMIT).unwrap();
        let window = window("a");
        assert_eq!(limiter.count(&window).await, Ok(()));
        tokio::time::advance(Duration::from_secs(20)).await;
        assert_eq!(limiter.count(&window).await, Ok(()));
        assert_eq!(limiter.count(&window).await, Err(Duration::from_secs(40)));
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(limiter.count(&window).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_given_back_does_not_count() {
        let limiter = Limiter::new(None, LIMIT).unwrap();
        for _ in 0..5 {
            assert_eq!(limiter.count(&window("a")).await, Ok(()));
            limiter.give_back(&window("a")).await;
        }
        limiter.give_back(&window("a")).await;
        let mut outcomes = Vec::new();
        for _ in 0..3 {
            outcomes.push(limiter.count(&window("a")).await.is_ok());
        }
        assert_eq!(outcomes, [true, true, false]);
    }

    #[tokio::test(start_paused = true)]
    async fn one_callers_window_is_not_anothers() {
        let limiter = Limiter::new(None, LIMIT).unwrap();
        for _ in 0..3 {
            let _ = limiter.count(&window("a")).await;
        }
        assert_eq!(limiter.count(&window("b")).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded_and_who_came_last_is_remembered() {
        let limiter = Limiter::new(None, LIMIT).unwrap();
        for n in 0..LOCAL_WINDOWS {
            let _ = limiter.count(&window(&n.to_string())).await;
            if n == LOCAL_WINDOWS / 2 {
                tokio::time::advance(Duration::from_secs(1)).await;
            }
        }
        let last = window(&(LOCAL_WINDOWS - 1).to_string());
        let _ = limiter.count(&last).await;
        let _ = limiter.count(&window("one too many")).await;
        assert!(limiter.local.lock().unwrap().len() <= LOCAL_WINDOWS);
        assert!(limiter.count(&last).await.is_err());
    }

    #[tokio::test]
    async fn without_redis_calls_are_still_counted() {
        let nobody = "redis://127.0.0.1:1".parse().unwrap();
        let limiter = Limiter::new(Some(&nobody), LIMIT).unwrap();
        let mut outcomes = Vec::new();
        for _ in 0..3 {
            outcomes.push(limiter.count(&window("a")).await.is_ok());
        }
        assert_eq!(outcomes, [true, true, false]);
    }
}
