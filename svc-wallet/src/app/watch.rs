//! Watching payments until they are final.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use mesh::{
    auth::Player,
    live::{Listener, News},
};
use tokio::{
    sync::{Semaphore, mpsc},
    time::{MissedTickBehavior, interval},
};
use tracing::{Instrument as _, Span, info_span, instrument, warn};

use super::{Cx, live_channel};
use crate::{
    domain::{Payment, PaymentId, State},
    error::{Error, Refused},
    store,
};

/// Updates that may wait for a slow reader before it is cut off: more than all
/// that can happen to as many payments as one may watch.
const BACKLOG: usize = 128;
/// Looks at once. A gap in the news makes every watcher look; players who pay come
/// first.
const LOOKS: usize = 6;
/// How often a watcher looks without having heard anything: news may be lost on its way.
const LOOK_INTERVAL: Duration = Duration::from_secs(15);
/// Looks in a row that may fail before the watcher is sent away to come again.
const MISSES: u32 = 5;
/// Watchers do not all look in the same moment.
const JITTER: Duration = Duration::from_millis(500);

/// A payment as it stands now.
type Update = Result<Payment, Error>;

/// The current state of each payment, then every change, until all are final.
///
/// News is only a hint to look again, so nothing is lost with it: the listener
/// is there before the first look, and a gap means looking again.
#[instrument(name = "wallet.watch", skip_all, fields(player.id = %player.id))]
pub async fn watch(
    cx: &Cx,
    player: Player,
    ids: Vec<PaymentId>,
) -> Result<mpsc::Receiver<Update>, Error> {
    let listener = cx.live.listen();
    let ids: Vec<PaymentId> = ids.into_iter().collect::<HashSet<_>>().into_iter().collect();
    let payments = look(cx, player, &ids).await?;
    if payments.len() != ids.len() {
        return Err(Refused::NotYourPayment.into());
    }
    let (sender, receiver) = mpsc::channel(BACKLOG);
    let watcher = Watcher { cx: cx.clone(), player, sender, seen: HashMap::new(), misses: 0 };
    // A trace of its own, since it goes on long after the call that asked for it.
    let watching = info_span!(parent: None, "wallet.watching", player.id = %player.id);
    watching.follows_from(Span::current());
    cx.shutdown.spawn_contained("watch", watcher.run(listener, payments).instrument(watching));
    Ok(receiver)
}

async fn look(cx: &Cx, player: Player, ids: &[PaymentId]) -> Result<Vec<Payment>, Error> {
    static PLACES: Semaphore = Semaphore::const_new(LOOKS);
    let _place = PLACES.acquire().await.map_err(anyhow::Error::from)?;
    let mut conn = cx.pool.acquire().await?;
    Ok(store::payment::find(&mut conn, player.id, ids).await?)
}

struct Watcher {
    cx: Cx,
    player: Player,
    sender: mpsc::Sender<Update>,
    seen: HashMap<PaymentId, State>,
    misses: u32,
}

impl Watcher {
    async fn run(mut self, mut listener: Listener, payments: Vec<Payment>) {
        let ids: Vec<PaymentId> = payments.iter().map(|payment| payment.id).collect();
        let channels: HashSet<String> = ids.iter().copied().map(live_channel).collect();
        let mut going = self.tell(payments);
        let mut by_itself = interval(LOOK_INTERVAL);
        by_itself.set_missed_tick_behavior(MissedTickBehavior::Delay);
        by_itself.reset();
        while going {
            let news = tokio::select! {
                news = listener.next() => news,
                _ = by_itself.tick() => Some(News::Gap),
                () = self.sender.closed() => return,
                () = self.cx.shutdown.stopping() => None,
            };
            going = match news {
                None => self.end(Refused::Stopping.into()),
                Some(News::Said { channel, .. }) if !channels.contains(&*channel) => true,
                Some(news) => {
                    if news == News::Gap {
                        tokio::time::sleep(self.cx.rng.jitter(JITTER)).await;
                    }
                    by_itself.reset();
                    self.look_again(&ids).await
                }
            };
        }
    }

    /// Looks and tells. A look that fails is made up for by the next.
    async fn look_again(&mut self, ids: &[PaymentId]) -> bool {
        match look(&self.cx, self.player, ids).await {
            Ok(payments) => {
                self.misses = 0;
                self.tell(payments)
            }
            Err(error) => {
                warn!(%error, "a watcher could not look");
                self.misses += 1;
                if self.misses < MISSES { true } else { self.end(error) }
            }
        }
    }

    /// Tells what changed; false when there is nobody or nothing left to tell.
    fn tell(&mut self, payments: Vec<Payment>) -> bool {
        let mut open = false;
        for payment in payments {
            open |= !payment.state.is_final();
            let before = self.seen.insert(payment.id, payment.state);
            if before != Some(payment.state) && self.sender.try_send(Ok(payment)).is_err() {
                // Gone, or so slow that it must come again.
                return false;
            }
        }
        open
    }

    fn end(&self, why: Error) -> bool {
        // A reader that is gone needs no goodbye.
        let _ = self.sender.try_send(Err(why));
        false
    }
}
