//! Watching payments until they are final.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
    time::Duration,
};

use mesh::{
    auth::Player,
    instrument,
    permits::{KeyedPermit, KeyedPermits},
    pubsub::{Event, Subscription},
};
use tokio::{
    sync::{Semaphore, mpsc},
    time::{MissedTickBehavior, interval},
};
use tracing::{Instrument as _, Span, info_span, warn};
use types::PlayerId;

use super::{Cx, card::verify::look, payment_changed::channel};
use crate::{
    domain::{Payment, PaymentId, State},
    error::{Error, Refused},
    store,
};

/// Updates that may wait for a slow reader before its stream ends: more than all changes of the
/// payments that one stream may watch.
const BACKLOG: usize = 128;
/// Concurrent reads by all watchers of this process. After lost messages every watcher reads again,
/// and payments need the database's connections meanwhile.
const CONCURRENT_READS: usize = 6;
/// Maximum watchers of this process. The gateways have limits of their own; this limit holds if
/// there are many gateways.
const WATCHERS: usize = 50_000;
/// Maximum watchers of one player, over all gateways.
const WATCHERS_PER_PLAYER: usize = 32;
/// A watcher reads this often without a message, because messages may be lost.
const READ_INTERVAL: Duration = Duration::from_secs(15);
/// Reads in a row that may fail before the stream ends with the error.
const MAX_FAILED_READS: u32 = 5;
/// Random delay after lost messages, so that watchers do not all read in the same moment.
const JITTER: Duration = Duration::from_millis(500);

/// The current state of a payment, or why the stream ends.
type Update = Result<Payment, Error>;

/// Streams the current state of each payment, then every change, until all are final.
///
/// A message is only a hint to read again, so a lost message loses no change: the subscription
/// starts before the first read, and the watcher also reads without messages.
#[instrument(name = "wallet.watch", skip_all, fields(player.id = %player.id, payments = ids.len()))]
pub(crate) async fn watch(
    cx: &Cx,
    player: Player,
    ids: Vec<PaymentId>,
) -> Result<mpsc::Receiver<Update>, Error> {
    static PERMITS: LazyLock<KeyedPermits<PlayerId>> =
        LazyLock::new(|| KeyedPermits::new("payment_watchers", WATCHERS, WATCHERS_PER_PLAYER));
    let permit = PERMITS.acquire(Some(player.id)).map_err(|_| Refused::TooManyWatchers)?;
    let ids: Vec<PaymentId> = ids.into_iter().collect::<HashSet<_>>().into_iter().collect();
    let subscription = cx.pubsub.subscribe(ids.iter().copied().map(channel));
    let payments = read(cx, player, &ids).await?;
    let (own, others): (Vec<_>, Vec<_>) =
        ids.into_iter().partition(|id| payments.iter().any(|payment| payment.id == *id));
    if !others.is_empty() {
        return Err(Refused::NotYourPayment { payments: others }.into());
    }
    let (sender, receiver) = mpsc::channel(BACKLOG);
    let watcher = Watcher {
        cx: cx.clone(),
        player,
        ids: own,
        sender,
        sent: HashMap::new(),
        failed_reads: 0,
        _permit: permit,
    };
    // The stream has its own trace, because it lives much longer than the call.
    let span = info_span!(parent: None, "wallet.watch_stream", player.id = %player.id);
    span.follows_from(Span::current());
    cx.shutdown.spawn_contained("watch", watcher.run(subscription, payments).instrument(span));
    Ok(receiver)
}

async fn read(cx: &Cx, player: Player, ids: &[PaymentId]) -> Result<Vec<Payment>, Error> {
    static PERMITS: Semaphore = Semaphore::const_new(CONCURRENT_READS);
    let _permit = PERMITS.acquire().await.map_err(anyhow::Error::from)?;
    let mut conn = cx.db.acquire().await?;
    let payments = store::payment::find(&mut conn, player.id, ids).await?;
    drop(conn);
    look(cx, &payments).await;
    Ok(payments)
}

/// Whether a stream continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Open,
    Ended,
}

struct Watcher {
    cx: Cx,
    player: Player,
    ids: Vec<PaymentId>,
    sender: mpsc::Sender<Update>,
    /// The last state of each payment that was sent.
    sent: HashMap<PaymentId, State>,
    /// Number of reads in a row that failed.
    failed_reads: u32,
    _permit: KeyedPermit<PlayerId>,
}

impl Watcher {
    async fn run(mut self, mut subscription: Subscription, payments: Vec<Payment>) {
        let mut read_interval = interval(READ_INTERVAL);
        read_interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        read_interval.reset();
        let mut stream = self.send(payments);
        while stream == Stream::Open {
            let event = tokio::select! {
                event = subscription.next() => event,
                _ = read_interval.tick() => Some(Event::Lagged),
                () = self.sender.closed() => return,
                () = self.cx.shutdown.stopping() => None,
            };
            if event == Some(Event::Lagged) {
                tokio::time::sleep(self.cx.rng.jitter(JITTER)).await;
            }
            stream = match event {
                Some(Event::Message { .. } | Event::Lagged) => {
                    read_interval.reset();
                    // The future is boxed, so that a waiting watcher needs no memory for a read.
                    Box::pin(self.read_again()).await
                }
                None => self.end(Refused::Stopping.into()),
            };
        }
    }

    /// Reads the payments and sends what changed. After a failed read, the next one catches up.
    async fn read_again(&mut self) -> Stream {
        match read(&self.cx, self.player, &self.ids).await {
            Ok(payments) => {
                self.failed_reads = 0;
                self.send(payments)
            }
            Err(error) => {
                warn!(%error, "cannot read the watched payments");
                self.failed_reads += 1;
                if self.failed_reads < MAX_FAILED_READS { Stream::Open } else { self.end(error) }
            }
        }
    }

    /// Sends the payments whose state changed. The stream ends when all are final, or when
    /// the reader is gone or too slow.
    fn send(&mut self, payments: Vec<Payment>) -> Stream {
        let mut stream = Stream::Ended;
        for payment in payments {
            if !payment.state.is_final() {
                stream = Stream::Open;
            }
            let before = self.sent.insert(payment.id, payment.state);
            if before != Some(payment.state) && self.sender.try_send(Ok(payment)).is_err() {
                return Stream::Ended;
            }
        }
        stream
    }

    fn end(&self, error: Error) -> Stream {
        // Sending fails only when the reader is gone.
        let _ = self.sender.try_send(Err(error));
        Stream::Ended
    }
}
