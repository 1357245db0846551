//! Publish and subscribe over Redis: hints to all replicas that something changed.
//!
//! A message may be lost, so it is only ever a hint to read again: the truth is in
//! Postgres. While Redis is out of reach, subscribers get [`Event::Lagged`] every two
//! seconds and fall back to reading.
//!
//! A process subscribes to one pattern at Redis and keeps its own list of subscribers by
//! channel, so that a message wakes the subscribers of its channel and no others.

mod connection;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use redis::{
    AsyncTypedCommands,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::sync::mpsc;

use self::connection::{Connection, PING_AFTER, REPLY_LIMIT};
use crate::{Shutdown, args::SecretUrl};

/// Messages that wait for one subscriber; more are dropped, and it is told that it lags.
const BACKLOG: usize = 64;
/// Longest that publishing may take.
const PUBLISH_LIMIT: Duration = Duration::from_millis(500);

/// What a subscriber receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A message on one of its channels.
    Message {
        /// The channel's full name.
        channel: Arc<str>,
        /// What was published.
        payload: Arc<str>,
    },
    /// Messages may have been missed: read the truth again.
    Lagged,
}

/// One process's connection to Redis for messages. Cheap to clone.
#[derive(Clone)]
pub struct PubSub {
    publisher: ConnectionManager,
    subscribers: Arc<Subscribers>,
}

impl PubSub {
    /// Subscribes to every channel of a pattern (`wallet.payment.*`). Does not need Redis
    /// to start: it connects as soon as it can.
    pub fn start(
        url: &SecretUrl,
        pattern: &'static str,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Self> {
        Self::start_with(PING_AFTER, url, pattern, shutdown)
    }

    fn start_with(
        ping_after: Duration,
        url: &SecretUrl,
        pattern: &'static str,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Self> {
        let client = crate::cache::open(url)?;
        let (sender, pushes) = mpsc::unbounded_channel();
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_response_timeout(Some(REPLY_LIMIT))
            .set_number_of_retries(2);
        let publisher = client.get_connection_manager_lazy(config.clone())?;
        let redis = client.get_connection_manager_lazy(config.set_push_sender(sender))?;
        let subscribers = Arc::<Subscribers>::default();
        let connection = Connection { redis, pushes, pattern, ping_after };
        let dispatch = connection.receive(Arc::clone(&subscribers), shutdown.clone());
        shutdown.spawn("pubsub", dispatch);
        Ok(Self { publisher, subscribers })
    }

    /// Subscribes to channels, from now on.
    pub fn subscribe(&self, channels: impl IntoIterator<Item = String>) -> Subscription {
        self.subscribers.add(channels.into_iter().map(Arc::from).collect())
    }

    /// Publishes a message; fails after half a second.
    pub async fn publish(&self, channel: &str, payload: &str) -> anyhow::Result<()> {
        let mut redis = self.publisher.clone();
        let published = tokio::time::timeout(PUBLISH_LIMIT, redis.publish(channel, payload)).await;
        published.context("Redis did not answer in time")?.context("cannot publish")?;
        Ok(())
    }
}

/// The subscribers of this process, by channel.
#[derive(Default)]
struct Subscribers {
    by_channel: Mutex<HashMap<Arc<str>, Vec<Subscriber>>>,
    next_id: AtomicU64,
    stopped: AtomicBool,
}

#[derive(Clone)]
struct Subscriber {
    id: u64,
    events: mpsc::Sender<Event>,
    lagged: Arc<AtomicBool>,
}

impl Subscriber {
    /// Never waits: a subscriber that is too slow is marked as lagging.
    fn send(&self, event: Event) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.events.try_send(event) {
            self.lagged.store(true, Ordering::Relaxed);
        }
    }
}

impl Subscribers {
    fn add(self: &Arc<Self>, channels: Vec<Arc<str>>) -> Subscription {
        let (sender, events) = mpsc::channel(BACKLOG);
        let lagged = Arc::<AtomicBool>::default();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        if !self.stopped.load(Ordering::SeqCst) {
            let mut by_channel = self.lock();
            for channel in &channels {
                let subscriber =
                    Subscriber { id, events: sender.clone(), lagged: Arc::clone(&lagged) };
                by_channel.entry(Arc::clone(channel)).or_default().push(subscriber);
            }
        }
        Subscription { id, channels, events, lagged, subscribers: Arc::clone(self) }
    }

    fn remove(&self, id: u64, channels: &[Arc<str>]) {
        let mut by_channel = self.lock();
        for channel in channels {
            if let Some(subscribers) = by_channel.get_mut(channel) {
                subscribers.retain(|subscriber| subscriber.id != id);
                if subscribers.is_empty() {
                    by_channel.remove(channel);
                }
            }
        }
    }

    /// Hands a message to the subscribers of its channel; says how many there are.
    fn dispatch(&self, channel: &str, payload: &str) -> usize {
        let by_channel = self.lock();
        let Some((channel, subscribers)) = by_channel.get_key_value(channel) else { return 0 };
        let payload: Arc<str> = payload.into();
        for subscriber in subscribers {
            let (channel, payload) = (Arc::clone(channel), Arc::clone(&payload));
            subscriber.send(Event::Message { channel, payload });
        }
        subscribers.len()
    }

    /// Tells every subscriber that it may have missed messages.
    fn lag_all(&self) {
        for subscriber in self.lock().values().flatten() {
            subscriber.send(Event::Lagged);
        }
    }

    /// Ends every subscription.
    fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Vec<Subscriber>>> {
        self.by_channel.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A subscription to some channels; ends when dropped.
pub struct Subscription {
    id: u64,
    channels: Vec<Arc<str>>,
    events: mpsc::Receiver<Event>,
    lagged: Arc<AtomicBool>,
    subscribers: Arc<Subscribers>,
}

impl Subscription {
    /// The next event; `None` when the process is stopping.
    pub async fn next(&mut self) -> Option<Event> {
        if self.lagged.swap(false, Ordering::Relaxed) {
            // What still waits is older than what was dropped.
            while self.events.try_recv().is_ok() {}
            return Some(Event::Lagged);
        }
        self.events.recv().await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.subscribers.remove(self.id, &self.channels);
    }
}
