//! The connection that receives messages from Redis.

use std::{sync::Arc, time::Duration};

use redis::{AsyncTypedCommands, PushInfo, PushKind, aio::ConnectionManager};
use tracing::debug;

use super::{
    pushes::{Push, Pushes},
    subscribers::Subscribers,
};
use crate::Shutdown;

/// The pause between two tries to subscribe while Redis is out of reach; subscribers get
/// `Event::Lagged` at each.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// Redis is pinged after this long without a message: a host that vanished sends nothing.
pub(super) const PING_AFTER: Duration = Duration::from_secs(5);
/// Longest that Redis may take to reply.
pub(super) const REPLY_LIMIT: Duration = Duration::from_secs(2);

pub(super) struct Connection {
    pub(super) redis: ConnectionManager,
    pub(super) pushes: Pushes,
    pub(super) pattern: &'static str,
    pub(super) ping_after: Duration,
}

impl Connection {
    /// Dispatches messages until the stop, and subscribes again whenever it has to.
    pub(super) async fn receive(mut self, subscribers: Arc<Subscribers>, stop: Shutdown) {
        let mut subscribed = false;
        loop {
            if !subscribed {
                subscribed = self.subscribe().await;
                // Messages that were published before this moment were missed.
                subscribers.lag_all();
            }
            let pause = if subscribed { self.ping_after } else { RETRY_INTERVAL };
            tokio::select! {
                () = stop.stopping() => break,
                () = tokio::time::sleep(pause) => subscribed = subscribed && self.ping().await,
                push = self.pushes.next() => match push {
                    None => break,
                    // A disconnection may be among those that were dropped.
                    Some(Push::Overflow) => subscribed = false,
                    Some(Push::Info(push)) if push.kind == PushKind::Disconnection => {
                        subscribed = false;
                    }
                    Some(Push::Info(push)) => if let Some((channel, payload)) = parse(&push) {
                        subscribers.dispatch(&channel, &payload);
                    },
                },
            }
        }
        subscribers.stop();
    }

    async fn subscribe(&mut self) -> bool {
        succeeds(self.redis.psubscribe(self.pattern)).await
    }

    async fn ping(&mut self) -> bool {
        succeeds(self.redis.ping()).await
    }
}

async fn succeeds<T>(command: impl Future<Output = redis::RedisResult<T>>) -> bool {
    match tokio::time::timeout(REPLY_LIMIT, command).await {
        Ok(Ok(_)) => true,
        Ok(Err(error)) => {
            debug!(%error, "not subscribed");
            false
        }
        Err(_) => false,
    }
}

/// Parses `pmessage pattern channel payload`.
fn parse(push: &PushInfo) -> Option<(String, String)> {
    if push.kind != PushKind::PMessage {
        return None;
    }
    let text = |at: usize| redis::from_redis_value_ref::<String>(push.data.get(at)?).ok();
    Some((text(1)?, text(2)?))
}
