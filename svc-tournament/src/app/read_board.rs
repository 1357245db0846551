//! Reads boards in memory, after bringing them up to date with the database.
//!
//! A board is read from the database at its first use, and caught up before each read: each change
//! of a standing records the transaction that made it, and a catch-up reads the changes of
//! transactions that were not visible to the previous catch-up. So a read has every score that any
//! replica committed before it, and no lock is needed. Readers that wait at the same time share one
//! catch-up, which begins after they arrived.

use std::sync::Arc;

use mesh::{Fault, instrument, jobs::Round};
use tokio::sync::OwnedMutexGuard;
use tracing::{Instrument as _, warn};

use super::Cx;
use crate::{
    board::{Board, Loaded, Refreshed, Slot},
    domain::TournamentId,
    error::{Error, Refused},
    store,
};

/// The most changes of one catch-up. A board that lacks more is read anew.
const CATCH_UP: i64 = 20_000;
/// Standings of one read of a board that is loaded.
const BATCH: i64 = 10_000;

/// Reads the present board of a tournament; `None` once it is settled.
pub(super) async fn read_board<T>(
    cx: &Cx,
    id: TournamentId,
    read: impl FnOnce(&Board) -> T,
) -> Result<Option<T>, Error> {
    read_board_at(cx, id, None, read).await
}

/// How fresh a board has to be: the number of the slot's first refresh that is fresh enough.
pub(super) struct Freshness {
    slot: Arc<Slot>,
    refresh: u64,
}

impl Freshness {
    /// Requires every score that is recorded by now.
    pub(super) fn from_now(cx: &Cx, id: TournamentId) -> Self {
        let slot = cx.boards.slot(id, cx.clock.now());
        Self { refresh: slot.next_refresh(), slot }
    }
}

/// Reads the present board like [`read_board`], for a reader to whom an earlier state is fresh
/// enough.
pub(super) async fn read_board_at<T>(
    cx: &Cx,
    id: TournamentId,
    freshness: Option<Freshness>,
    read: impl FnOnce(&Board) -> T,
) -> Result<Option<T>, Error> {
    let slot = cx.boards.slot(id, cx.clock.now());
    // A refresh's number is valid for its slot only, and another slot may have replaced it.
    let freshness = freshness.filter(|freshness| Arc::ptr_eq(&freshness.slot, &slot));
    let wanted = freshness.map_or_else(|| slot.next_refresh(), |freshness| freshness.refresh);
    match refreshed(cx, id, &slot, wanted).await {
        Refreshed::Current => {
            // The slot is empty only if another reader has just found that the tournament was
            // removed.
            let board = slot.read();
            Ok(Some(read(&board.as_ref().ok_or(Refused::TournamentNotFound)?.board)))
        }
        Refreshed::Settled => Ok(None),
        Refreshed::Missing => Err(Refused::TournamentNotFound.into()),
        Refreshed::Failed => Err(Fault::unavailable().into()),
    }
}

/// Runs a function on the board as it is in memory; if it is not loaded, begins to load it and
/// returns `None`.
pub(super) fn with_loaded<T>(
    cx: &Cx,
    id: TournamentId,
    run: impl FnOnce(&mut Loaded) -> T,
) -> Option<T> {
    let slot = cx.boards.slot(id, cx.clock.now());
    if let Some(loaded) = slot.write().as_mut() {
        return Some(run(loaded));
    }
    if let Ok(gate) = Arc::clone(&slot.gate).try_lock_owned() {
        spawn_refresh(cx, id, &slot, gate);
    }
    None
}

/// Drops the boards that are not used.
pub(crate) async fn evict_boards(cx: &Cx) -> Result<Round, Error> {
    cx.boards.evict(cx.clock.now());
    Ok(Round::Done)
}

/// Waits for the refresh of this number, or a later one.
#[instrument(name = "tournament.refresh_board", skip_all, fields(tournament.id = %id))]
async fn refreshed(cx: &Cx, id: TournamentId, slot: &Arc<Slot>, wanted: u64) -> Refreshed {
    loop {
        if let Some(outcome) = slot.outcome(wanted) {
            return outcome;
        }
        let gate = Arc::clone(&slot.gate).lock_owned().await;
        if let Some(outcome) = slot.outcome(wanted) {
            return outcome;
        }
        if slot.read().is_some() {
            return refresh(cx, id, slot).await;
        }
        // Loading a board may take longer than its first reader may wait, so it continues in its
        // own task when that reader gives up.
        spawn_refresh(cx, id, slot, gate);
    }
}

fn spawn_refresh(cx: &Cx, id: TournamentId, slot: &Arc<Slot>, gate: OwnedMutexGuard<()>) {
    let (own, slot) = (cx.clone(), Arc::clone(slot));
    let refreshing = async move {
        refresh(&own, id, &slot).await;
        drop(gate);
    };
    cx.shutdown.spawn_contained("load board", refreshing.in_current_span());
}

/// Loads the board or catches it up. The caller holds the gate.
async fn refresh(cx: &Cx, id: TournamentId, slot: &Slot) -> Refreshed {
    let number = slot.begin_refresh();
    let outcome = match catch_up(cx, id, slot).await {
        Ok(outcome) => outcome,
        Err(error) => {
            warn!(%error, tournament = %id, "cannot read a board");
            Refreshed::Failed
        }
    };
    if matches!(outcome, Refreshed::Settled | Refreshed::Missing) {
        cx.boards.remove(id);
    }
    slot.end_refresh(number, outcome);
    outcome
}

async fn catch_up(cx: &Cx, id: TournamentId, slot: &Slot) -> Result<Refreshed, Error> {
    let mut conn = cx.db.acquire().await?;
    let base = slot.read().as_ref().map(|loaded| (loaded.created_xid, loaded.horizon));
    // For a board that is not loaded, only the horizon is read.
    let (horizon, limit) = base.map_or((0, 0), |(_, horizon)| (horizon, CATCH_UP));
    let changes = store::standing::changes(&mut conn, id, horizon, limit).await?;
    let Some(changes) = changes else { return Ok(Refreshed::Missing) };
    if changes.settled {
        return Ok(Refreshed::Settled);
    }
    let is_complete = i64::try_from(changes.scores.len()).is_ok_and(|scores| scores < CATCH_UP);
    // A horizon that is lower than the board's means that the database was restored. Changes below
    // `swept` may be gone.
    if base.is_some_and(|(created_xid, horizon)| {
        created_xid == changes.created_xid
            && (changes.swept..=changes.horizon).contains(&horizon)
            && is_complete
    }) {
        if let Some(loaded) = slot.write().as_mut() {
            for (player, score) in changes.scores {
                match score {
                    Some(score) => loaded.board.apply(player, score),
                    None => loaded.board.remove(player),
                }
            }
            loaded.horizon = changes.horizon;
        }
        return Ok(Refreshed::Current);
    }
    // Scores that are written meanwhile are above the horizon, so the next catch-up reads them
    // again.
    let mut scores = Vec::new();
    let mut after = store::standing::before_all();
    loop {
        let batch = store::standing::batch(&mut conn, id, after, BATCH).await?;
        let Some((last, _)) = batch.last() else { break };
        after = *last;
        let is_last = i64::try_from(batch.len()).is_ok_and(|rows| rows < BATCH);
        scores.extend(batch);
        if is_last {
            break;
        }
    }
    drop(conn);
    let (horizon, created_xid) = (changes.horizon, changes.created_xid);
    // In a blocking task, because sorting a million scores takes a while.
    let board = tokio::task::spawn_blocking(move || Board::new(scores)).await;
    let board = board.map_err(anyhow::Error::from)?;
    *slot.write() = Some(Loaded { board, horizon, created_xid });
    cx.boards.evict(cx.clock.now());
    Ok(Refreshed::Current)
}
