//! Watches a player's place in tournaments.

use std::{collections::HashMap, sync::LazyLock, time::Duration};

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

use super::{
    Cx,
    read_board::{Freshness, read_board_at},
    standings_changed::channel,
};
use crate::{
    domain::{Standing, TournamentId},
    error::{Error, Refused},
    store,
};

/// States that may wait for a slow reader before its stream ends.
const BACKLOG: usize = 32;
/// The most concurrent reads of final boards by all watchers of this process, because calls need
/// the connections as well. Boards in memory are refreshed by one watcher for all.
const CONCURRENT_READS: usize = 4;
/// The most watchers of this process. The gateways have their own limits; this one also holds with
/// many gateways.
const WATCHERS: usize = 50_000;
/// Watchers of one player, over all gateways.
const WATCHERS_PER_PLAYER: usize = 32;
/// Pause between two reads, however much changes.
const PAUSE: Duration = Duration::from_secs(1);
/// A watcher reads this often without a message, because messages may be lost. The board that it
/// reads is at most as old as its last read, so a change is sent within twice this time.
const READ_INTERVAL: Duration = Duration::from_secs(7);
/// Reads in a row that may fail before the stream ends with the error.
const MAX_FAILED_READS: u32 = 5;

/// A player's place in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StandingState {
    pub(crate) tournament: TournamentId,
    /// `None` without a score.
    pub(crate) own: Option<Standing>,
    pub(crate) players: u64,
    /// The points of the player in first place; 0 without players.
    pub(crate) best_points: i32,
    pub(crate) settled: bool,
}

/// The current state, or the error that ends the stream.
type Update = Result<StandingState, Error>;

/// Streams the player's place in each tournament, then each that differs, until all are settled.
///
/// A message is only a hint to read again, so a lost message loses no change: the subscription
/// starts before the first read, and the watcher also reads without messages.
#[instrument(name = "tournament.watch_standings", skip_all,
    fields(player.id = %player.id, tournaments = ids.len()))]
pub(crate) async fn watch_standings(
    cx: &Cx,
    player: Player,
    mut ids: Vec<TournamentId>,
) -> Result<mpsc::Receiver<Update>, Error> {
    static PERMITS: LazyLock<KeyedPermits<PlayerId>> =
        LazyLock::new(|| KeyedPermits::new("standing_watchers", WATCHERS, WATCHERS_PER_PLAYER));
    let permit = PERMITS.acquire(Some(player.id)).map_err(|_| Refused::TooManyWatchers)?;
    ids.sort_unstable();
    ids.dedup();
    let subscription = cx.pubsub.subscribe(ids.iter().copied().map(channel));
    let known = store::tournament::settled(&mut *cx.db.acquire().await?, &ids).await?;
    let is_known = |id: &TournamentId| known.iter().any(|(known, _)| known == id);
    let (ids, unknown): (Vec<_>, Vec<_>) = ids.into_iter().partition(is_known);
    if !unknown.is_empty() {
        return Err(Refused::UnknownTournaments { tournaments: unknown }.into());
    }
    let (sender, receiver) = mpsc::channel(BACKLOG);
    let watcher = Watcher {
        cx: cx.clone(),
        player: player.id,
        open: ids.into_iter().map(|id| (id, None)).collect(),
        sender,
        sent: HashMap::new(),
        failed_reads: 0,
        _permit: permit,
    };
    // A trace of its own, because the stream lives much longer than the call.
    let span = info_span!(parent: None, "tournament.watch_stream", player.id = %player.id);
    span.follows_from(Span::current());
    cx.shutdown.spawn_contained("watch", watcher.run(subscription).instrument(span));
    Ok(receiver)
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
    /// The tournaments that are not settled, each with the required freshness of its board: that of
    /// the last message, or else of the last read.
    open: Vec<(TournamentId, Option<Freshness>)>,
    sender: mpsc::Sender<Update>,
    /// The last state of each tournament that was sent to the reader.
    sent: HashMap<TournamentId, StandingState>,
    /// Reads in a row that failed.
    failed_reads: u32,
    _permit: KeyedPermit<PlayerId>,
}

impl Watcher {
    async fn run(mut self, mut subscription: Subscription) {
        let mut stream = Box::pin(self.read()).await;
        let mut last_read = Instant::now();
        let mut read_at = self.next_read();
        while stream == Stream::Open {
            tokio::select! {
                event = subscription.next() => match event {
                    Some(Event::Message { .. }) => {
                        self.want_from_now();
                        read_at = read_at.min(last_read + PAUSE);
                    }
                    // The next read makes up for what was lost.
                    Some(Event::Lagged) => {}
                    None => stream = self.end(Refused::Stopping.into()),
                },
                () = sleep_until(read_at) => {
                    stream = Box::pin(self.read()).await;
                    last_read = Instant::now();
                    read_at = self.next_read();
                }
                () = self.sender.closed() => return,
                () = self.cx.shutdown.stopping() => stream = self.end(Refused::Stopping.into()),
            }
        }
    }

    /// The time of the next read: spread over half of the interval, so that watchers that started
    /// together do not read together.
    fn next_read(&self) -> Instant {
        Instant::now() + READ_INTERVAL / 2 + self.cx.rng.jitter(READ_INTERVAL / 2)
    }

    /// Requires the next read to have every score that is recorded by now. Watchers who got the
    /// same message share one read of the database.
    fn want_from_now(&mut self) {
        for (id, freshness) in &mut self.open {
            *freshness = Some(Freshness::from_now(&self.cx, *id));
        }
    }

    /// Reads the tournaments that are not settled, and sends changed states. A failed read is made
    /// up for by the next one.
    async fn read(&mut self) -> Stream {
        let mut still_open = Vec::with_capacity(self.open.len());
        for (id, freshness) in std::mem::take(&mut self.open) {
            let next = Freshness::from_now(&self.cx, id);
            match read_state(&self.cx, self.player, id, freshness).await {
                Ok(state) => {
                    self.failed_reads = 0;
                    if self.send(state) == Stream::Ended {
                        return Stream::Ended;
                    }
                    if !state.settled {
                        still_open.push((id, Some(next)));
                    }
                }
                // An operator has removed the tournament.
                Err(Error::Refused(Refused::TournamentNotFound)) => {}
                Err(error) => {
                    warn!(%error, "cannot read a board that is watched");
                    self.failed_reads += 1;
                    if self.failed_reads >= MAX_FAILED_READS {
                        return self.end(error);
                    }
                    still_open.push((id, None));
                }
            }
        }
        self.open = still_open;
        if self.open.is_empty() { Stream::Ended } else { Stream::Open }
    }

    /// Sends a state that differs from the last one. The stream ends when the reader is gone
    /// or too slow.
    fn send(&mut self, state: StandingState) -> Stream {
        let before = self.sent.insert(state.tournament, state);
        if before == Some(state) || self.sender.try_send(Ok(state)).is_ok() {
            Stream::Open
        } else {
            Stream::Ended
        }
    }

    fn end(&self, error: Error) -> Stream {
        // Fails only when the reader is gone.
        let _ = self.sender.try_send(Err(error));
        Stream::Ended
    }
}

async fn read_state(
    cx: &Cx,
    player: PlayerId,
    id: TournamentId,
    freshness: Option<Freshness>,
) -> Result<StandingState, Error> {
    static PERMITS: Semaphore = Semaphore::const_new(CONCURRENT_READS);
    let live = read_board_at(cx, id, freshness, |board| StandingState {
        tournament: id,
        own: board.standing(player),
        players: board.players() as u64,
        best_points: board.page(0, 1).first().map_or(0, |first| first.points),
        settled: false,
    });
    if let Some(live) = live.await? {
        return Ok(live);
    }
    let _permit = PERMITS.acquire().await.map_err(anyhow::Error::from)?;
    let mut conn = cx.db.acquire().await?;
    let tournament = store::tournament::find(&mut conn, id).await?;
    let tournament = tournament.ok_or(Refused::TournamentNotFound)?;
    let first = store::settlement::first(&mut conn, id, 1).await?;
    Ok(StandingState {
        tournament: id,
        own: store::final_standing::find(&mut conn, id, player).await?,
        players: tournament.players.unsigned_abs(),
        best_points: first.first().map_or(0, |standing| standing.points),
        settled: true,
    })
}
