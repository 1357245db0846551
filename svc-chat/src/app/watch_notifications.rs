//! Watching the state of a player's notifications.

use std::{sync::LazyLock, time::Duration};

use mesh::{
    auth::Player,
    instrument,
    permits::{KeyedPermit, KeyedPermits},
    pubsub::{Event, Subscription},
};
use tokio::{
    sync::{Semaphore, mpsc},
    time::{Instant, sleep_until},
};
use tracing::{Instrument as _, Span, info_span, warn};
use types::PlayerId;

use super::{Cx, notifications_changed::channel};
use crate::{
    domain::NotificationState,
    error::{Error, Refused},
    store,
};

/// States that may wait for a slow reader before its stream ends.
const BACKLOG: usize = 16;
/// Reads of all watchers of this process at once; calls need the connections as well.
const CONCURRENT_READS: usize = 4;
/// The most watchers of this process. The gateways have their own limits; this one also holds with
/// many gateways.
const WATCHERS: usize = 50_000;
/// Watchers of one player, over all gateways.
const WATCHERS_PER_PLAYER: usize = 32;
/// The longest time between two reads of a watcher, after lost messages or without any. Each open
/// tab has a watcher and a notification is not urgent, so an outage of Redis must not make all
/// watchers read at once.
const READ_INTERVAL: Duration = Duration::from_secs(30);
/// Reads in a row that may fail before the stream ends with the error.
const MAX_FAILED_READS: u32 = 5;

/// The current state, or the error that ends the stream. Boxed like the updates of rooms.
type Update = Box<Result<NotificationState, Error>>;

/// The current state of the player's notifications, then each that differs.
///
/// A message is only a hint to read again, so a lost message loses no change: the subscription
/// starts before the first read, and the watcher also reads without messages.
#[instrument(name = "chat.watch_notifications", skip_all, fields(player.id = %player.id))]
pub(crate) async fn watch_notifications(
    cx: &Cx,
    player: Player,
) -> Result<mpsc::Receiver<Update>, Error> {
    static PERMITS: LazyLock<KeyedPermits<PlayerId>> =
        LazyLock::new(|| KeyedPermits::new("notification_watchers", WATCHERS, WATCHERS_PER_PLAYER));
    let permit = PERMITS.acquire(Some(player.id)).map_err(|_| Refused::TooManyWatchers)?;
    let subscription = cx.pubsub.subscribe([channel(player.id)]);
    let state = read(cx, player.id).await?;
    let (sender, receiver) = mpsc::channel(BACKLOG);
    let watcher = Watcher {
        cx: cx.clone(),
        player: player.id,
        sender,
        sent: None,
        failed_reads: 0,
        _permit: permit,
    };
    // A trace of its own, because the stream lives much longer than the call.
    let span = info_span!(parent: None, "chat.watch_stream", player.id = %player.id);
    span.follows_from(Span::current());
    cx.shutdown.spawn_contained("watch", watcher.run(subscription, state).instrument(span));
    Ok(receiver)
}

async fn read(cx: &Cx, player: PlayerId) -> Result<NotificationState, Error> {
    static PERMITS: Semaphore = Semaphore::const_new(CONCURRENT_READS);
    let _permit = PERMITS.acquire().await.map_err(anyhow::Error::from)?;
    let mut conn = cx.db.acquire().await?;
    Ok(store::notification::state(&mut conn, player).await?)
}

/// Whether a stream goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Open,
    Ended,
}

struct Watcher {
    cx: Cx,
    player: PlayerId,
    sender: mpsc::Sender<Update>,
    /// The last state that was sent to the reader.
    sent: Option<NotificationState>,
    /// Reads in a row that failed.
    failed_reads: u32,
    _permit: KeyedPermit<PlayerId>,
}

impl Watcher {
    async fn run(mut self, mut subscription: Subscription, state: NotificationState) {
        let mut stream = self.send(state);
        let mut read_at = self.next_read();
        while stream == Stream::Open {
            // Reads are boxed, so that a waiting watcher takes little memory.
            tokio::select! {
                event = subscription.next() => match event {
                    Some(Event::Message { .. }) => stream = Box::pin(self.read_again()).await,
                    // The next read makes up for what was lost.
                    Some(Event::Lagged) => continue,
                    None => stream = self.end(Refused::Stopping.into()),
                },
                () = sleep_until(read_at) => stream = Box::pin(self.read_again()).await,
                () = self.sender.closed() => return,
                () = self.cx.shutdown.stopping() => stream = self.end(Refused::Stopping.into()),
            }
            read_at = self.next_read();
        }
    }

    /// The time of the next read: spread over half of the interval, so that watchers that started
    /// together do not read together.
    fn next_read(&self) -> Instant {
        Instant::now() + READ_INTERVAL / 2 + self.cx.rng.jitter(READ_INTERVAL / 2)
    }

    /// Reads the state and sends it. A failed read is made up for by the next one.
    async fn read_again(&mut self) -> Stream {
        match read(&self.cx, self.player).await {
            Ok(state) => {
                self.failed_reads = 0;
                self.send(state)
            }
            Err(error) => {
                warn!(%error, "cannot read the state of notifications");
                self.failed_reads += 1;
                if self.failed_reads < MAX_FAILED_READS { Stream::Open } else { self.end(error) }
            }
        }
    }

    /// Sends a state that differs from the last one. The stream ends when the reader is gone
    /// or too slow.
    fn send(&mut self, state: NotificationState) -> Stream {
        if self.sent.replace(state) == Some(state)
            || self.sender.try_send(Box::new(Ok(state))).is_ok()
        {
            Stream::Open
        } else {
            Stream::Ended
        }
    }

    fn end(&self, error: Error) -> Stream {
        // Fails only when the reader is gone.
        let _ = self.sender.try_send(Box::new(Err(error)));
        Stream::Ended
    }
}
