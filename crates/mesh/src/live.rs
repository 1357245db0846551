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
        let client = crate::cache::open(url)?;
        let (sender, pushes) = mpsc::unbounded_channel();
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_response_timeout(Some(Duration::from_secs(2)))
            .set_number_of_retries(2);
        let voice = client.get_connection_manager_lazy(config.clone())?;
        let ear = client.get_connection_manager_lazy(config.set_push_sender(sender))?;
        let (news, _) = broadcast::channel(BACKLOG);
        let live = Self { voice, news };
        shutdown.spawn("live", listen(ear, pushes, pattern, live.news.clone(), shutdown.clone()));
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

async fn listen(
    mut ear: ConnectionManager,
    mut pushes: mpsc::UnboundedReceiver<PushInfo>,
    pattern: &'static str,
    news: broadcast::Sender<News>,
    stop: Shutdown,
) {
    let mut subscribed = false;
    loop {
        if !subscribed {
            subscribed = subscribe(&mut ear, pattern).await;
            // What was said before this moment was not heard.
            let _ = news.send(News::Gap);
        }
        tokio::select! {
            () = stop.stopping() => return,
            () = tokio::time::sleep(GAP_INTERVAL), if !subscribed => {}
            push = pushes.recv() => match push {
                None => return,
                Some(push) if push.kind == PushKind::Disconnection => subscribed = false,
                Some(push) => if let Some(said) = read(&push) { let _ = news.send(said); },
            },
        }
    }
}

async fn subscribe(ear: &mut ConnectionManager, pattern: &str) -> bool {
    match tokio::time::timeout(Duration::from_secs(2), ear.psubscribe(pattern)).await {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            debug!(%error, "not listening yet");
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
