//! Live fan-out over Redis: a word to all replicas that something changed.
//!
//! What is said here may be lost, so it is only ever a hint to read again: the
//! truth is in Postgres. While Redis is out of reach, listeners get a
//! [`News::Gap`] every two seconds and fall back to reading.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use redis::{
    AsyncTypedCommands, PushInfo, PushKind,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::sync::{broadcast, mpsc};
use tracing::debug;

use crate::{Shutdown, args::SecretUrl};

/// News waiting for one listener before the oldest is dropped (and a gap told).
const BACKLOG: usize = 1_024;
/// How often listeners are told to read again while Redis is away.
const GAP_INTERVAL: Duration = Duration::from_secs(2);
/// How long the ear hears nothing before it asks whether Redis is still there.
const QUIET: Duration = Duration::from_secs(5);
/// Longest that Redis may take to answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);
/// Longest that saying something may hold up its speaker.
const PUBLISH_LIMIT: Duration = Duration::from_millis(500);

/// What a listener hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Something was said on a channel.
    Said {
        /// The channel's full name.
        channel: Arc<str>,
        /// What was said.
        payload: Arc<str>,
    },
    /// Something may have been missed: read again.
    Gap,
}

/// One process's ear and voice. Cheap to clone.
#[derive(Clone)]
pub struct Live {
    voice: ConnectionManager,
    news: broadcast::Sender<News>,
}

impl Live {
    /// Listens to every channel of a pattern (`wallet.payment.*`). Needs no
    /// Redis to start: it connects when there is one.
    pub fn start(
        url: &SecretUrl,
        pattern: &'static str,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Self> {
        Self::start_asking(QUIET, url, pattern, shutdown)
    }

    fn start_asking(
        quiet: Duration,
        url: &SecretUrl,
        pattern: &'static str,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Self> {
        let client = crate::cache::open(url)?;
        let (sender, pushes) = mpsc::unbounded_channel();
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_response_timeout(Some(ANSWER_LIMIT))
            .set_number_of_retries(2);
        let voice = client.get_connection_manager_lazy(config.clone())?;
        let ear = client.get_connection_manager_lazy(config.set_push_sender(sender))?;
        let (news, _) = broadcast::channel(BACKLOG);
        let live = Self { voice, news };
        let ear = Ear { redis: ear, pushes, pattern, quiet };
        shutdown.spawn("live", ear.listen(live.news.clone(), shutdown.clone()));
        Ok(live)
    }

    /// Everything said from now on.
    pub fn listen(&self) -> Listener {
        Listener(self.news.subscribe())
    }

    /// Says something, within half a second or not at all.
    pub async fn say(&self, channel: &str, payload: &str) -> anyhow::Result<()> {
        let mut voice = self.voice.clone();
        let said = tokio::time::timeout(PUBLISH_LIMIT, voice.publish(channel, payload)).await;
        said.context("Redis is slow")?.context("Redis took no news")?;
        Ok(())
    }
}

/// One listener's end.
pub struct Listener(broadcast::Receiver<News>);

impl Listener {
    /// The next news; falling behind is a gap like any other. `None` when the
    /// process is stopping.
    pub async fn next(&mut self) -> Option<News> {
        match self.0.recv().await {
            Ok(news) => Some(news),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(News::Gap),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

struct Ear {
    redis: ConnectionManager,
    pushes: mpsc::UnboundedReceiver<PushInfo>,
    pattern: &'static str,
    quiet: Duration,
}

impl Ear {
    async fn listen(mut self, news: broadcast::Sender<News>, stop: Shutdown) {
        let mut hears = false;
        loop {
            if !hears {
                hears = self.subscribe().await;
                // What was said before this moment was not heard.
                let _ = news.send(News::Gap);
            }
            let pause = if hears { self.quiet } else { GAP_INTERVAL };
            tokio::select! {
                () = stop.stopping() => return,
                // A Redis that vanished says as little as one that has no news.
                () = tokio::time::sleep(pause) => hears = hears && self.is_answered().await,
                push = self.pushes.recv() => match push {
                    None => return,
                    Some(push) if push.kind == PushKind::Disconnection => hears = false,
                    Some(push) => if let Some(said) = read(&push) { let _ = news.send(said); },
                },
            }
        }
    }

    async fn subscribe(&mut self) -> bool {
        answered(self.redis.psubscribe(self.pattern)).await
    }

    async fn is_answered(&mut self) -> bool {
        answered(self.redis.ping()).await
    }
}

async fn answered<T>(question: impl Future<Output = redis::RedisResult<T>>) -> bool {
    match tokio::time::timeout(ANSWER_LIMIT, question).await {
        Ok(Ok(_)) => true,
        Ok(Err(error)) => {
            debug!(%error, "not listening");
            false
        }
        Err(_) => false,
    }
}

/// `pmessage pattern channel payload`
fn read(push: &PushInfo) -> Option<News> {
    if push.kind != PushKind::PMessage {
        return None;
    }
    let text = |at: usize| -> Option<Arc<str>> {
        let text: String = redis::from_redis_value_ref(push.data.get(at)?).ok()?;
        Some(text.into())
    };
    Some(News::Said { channel: text(1)?, payload: text(2)? })
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::{TcpListener, TcpStream, tcp},
        sync::watch,
    };

    use super::*;

    /// Stands between, and can stop passing on what comes, as a host that vanished does.
    async fn between(redis: SocketAddr, tasks: Shutdown) -> (SocketAddr, watch::Sender<bool>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let (mute, muted) = watch::channel(false);
        tasks.clone().spawn_contained("between", async move {
            while let Ok((inner, _)) = listener.accept().await {
                let (inner_read, inner_write) = inner.into_split();
                let outer = TcpStream::connect(redis).await.unwrap();
                let (outer_read, outer_write) = outer.into_split();
                let there = pass_on(inner_read, outer_write, muted.clone());
                let back = pass_on(outer_read, inner_write, muted.clone());
                tasks.spawn_contained("there", there);
                tasks.spawn_contained("back", back);
            }
        });
        (addr, mute)
    }

    async fn pass_on(
        mut from: tcp::OwnedReadHalf,
        mut to: tcp::OwnedWriteHalf,
        mut muted: watch::Receiver<bool>,
    ) {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            let heard = muted.wait_for(|muted| !muted).await.is_ok();
            if !heard || to.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    }

    #[tokio::test]
    async fn a_redis_that_falls_silent_is_a_gap_and_is_heard_again_afterwards() {
        let url = std::env::var("TEST_REDIS_URL").expect("a Redis for tests");
        let authority = url.strip_prefix("redis://").unwrap().trim_end_matches('/');
        let shutdown = Shutdown::new();
        let (addr, mute) = between(authority.parse().unwrap(), shutdown.clone()).await;
        let url = format!("redis://{addr}").parse().unwrap();
        let quiet = Duration::from_millis(50);
        let live = Live::start_asking(quiet, &url, "mesh.live.test.*", &shutdown).unwrap();
        let channel = format!(
            "mesh.live.test.{}",
            types::Chance::system().uuid_v7(types::Clock::system().now())
        );
        let mut listener = live.listen();
        hear(&live, &mut listener, &channel).await;

        mute.send(true).unwrap();
        // Nobody speaks: that this is no silence like any other is found out by asking.
        while listener.next().await.unwrap() != News::Gap {}

        mute.send(false).unwrap();
        hear(&live, &mut listener, &channel).await;
        shutdown.stop();
    }

    /// Says it until it is heard.
    async fn hear(live: &Live, listener: &mut Listener, channel: &str) {
        loop {
            let _ = live.say(channel, "news").await;
            match listener.next().await.unwrap() {
                News::Said { channel: heard, .. } if &*heard == channel => return,
                _ => {}
            }
        }
    }
}
