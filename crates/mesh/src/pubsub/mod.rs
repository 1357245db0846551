//! Publish and subscribe over Redis: hints to all replicas that something changed.
//!
//! A message may be lost, so it is only a hint to read the state in Postgres again. While
//! Redis is out of reach, subscribers get [`Event::Lagged`] every two seconds and fall back
//! to reading.
//!
//! A process subscribes to one pattern at Redis and keeps its own list of subscribers by
//! channel, so that a message wakes the subscribers of its channel and no others.

mod connection;
mod pushes;
mod subscribers;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use redis::{
    AsyncTypedCommands,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use self::{
    connection::{Connection, PING_AFTER, REPLY_LIMIT},
    subscribers::Subscribers,
};
use crate::{Shutdown, args::SecretUrl};

pub use self::subscribers::{Event, Subscription};

/// Longest that publishing may take.
const PUBLISH_LIMIT: Duration = Duration::from_millis(500);

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
        let (sender, pushes) = pushes::queue();
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

    /// Publishes messages, each to its channel, in one round trip; fails after half a second.
    pub async fn publish_all(&self, messages: &[(String, String)]) -> anyhow::Result<()> {
        let mut redis = self.publisher.clone();
        let mut commands = redis::pipe();
        for (channel, payload) in messages {
            commands.publish(channel, payload).ignore();
        }
        let published = commands.exec_async(&mut redis);
        let published = tokio::time::timeout(PUBLISH_LIMIT, published).await;
        published.context("Redis did not answer in time")?.context("cannot publish")
    }
}
