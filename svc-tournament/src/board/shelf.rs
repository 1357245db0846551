//! The boards that a process has in memory.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex as AsyncMutex;

use super::Board;
use crate::domain::TournamentId;

/// A board that is not read for this long is dropped.
const IDLE: Duration = Duration::minutes(10);

/// The boards in memory, and a bound on their entries.
#[derive(Debug)]
pub(crate) struct Shelf {
    slots: Mutex<HashMap<TournamentId, Arc<Slot>>>,
    most_entries: usize,
}

/// The slot of one board, which may not be loaded.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    /// Held by the running refresh, of which there is one at most. A reader that waits for the gate
    /// compares the number of the last refresh to see whether that refresh began after the reader
    /// arrived.
    pub(crate) gate: Arc<AsyncMutex<()>>,
    board: RwLock<Option<Loaded>>,
    /// How many refreshes began.
    begun: AtomicU64,
    /// The number and the outcome of the last refresh that ended.
    ended: Mutex<Option<(u64, Refreshed)>>,
    /// Unix time of the last use, in seconds.
    used_at: AtomicI64,
}

/// A board, with the database state that it is based on.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) board: Board,
    /// All transactions below this id are on the board.
    pub(crate) horizon: i64,
    /// Distinguishes this tournament from a removed one with the same id.
    pub(crate) created_xid: i64,
}

/// How a refresh ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refreshed {
    /// The board has every score that was recorded before the refresh began.
    Current,
    /// The tournament is settled: its board is in the database.
    Settled,
    /// There is no such tournament.
    Missing,
    /// The database did not answer.
    Failed,
}

impl Shelf {
    pub(crate) fn new(most_entries: usize) -> Self {
        Self { slots: Mutex::default(), most_entries }
    }

    /// The slot of a tournament, empty if its board is not loaded.
    pub(crate) fn slot(&self, id: TournamentId, now: OffsetDateTime) -> Arc<Slot> {
        let slot = Arc::clone(self.lock().entry(id).or_default());
        slot.used_at.store(now.unix_timestamp(), Ordering::Relaxed);
        slot
    }

    /// The slot of a tournament whose board is loaded or was asked for.
    pub(crate) fn existing(&self, id: TournamentId) -> Option<Arc<Slot>> {
        self.lock().get(&id).cloned()
    }

    /// Drops a board. Its current readers keep it until they are done.
    pub(crate) fn remove(&self, id: TournamentId) {
        self.lock().remove(&id);
    }

    /// Drops the boards that are idle, and then those that were not used for the longest time
    /// while there are too many entries.
    pub(crate) fn evict(&self, now: OffsetDateTime) {
        let idle_since = (now - IDLE).unix_timestamp();
        let mut slots = self.lock();
        slots.retain(|_, slot| slot.used_at.load(Ordering::Relaxed) > idle_since);
        let mut by_use: Vec<_> = slots
            .iter()
            .map(|(id, slot)| (slot.used_at.load(Ordering::Relaxed), *id, slot.entries()))
            .collect();
        by_use.sort_unstable_by_key(|(used_at, ..)| *used_at);
        let mut entries: usize = by_use.iter().map(|(.., entries)| entries).sum();
        // The board that was used last stays, however large.
        by_use.pop();
        for (_, id, dropped) in by_use {
            if entries <= self.most_entries {
                break;
            }
            slots.remove(&id);
            entries -= dropped;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TournamentId, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    /// The number of the first refresh that begins from now on.
    pub(crate) fn next_refresh(&self) -> u64 {
        self.begun.load(Ordering::SeqCst) + 1
    }

    /// Begins a refresh, before the database is read; returns its number. The caller holds
    /// the gate.
    pub(crate) fn begin_refresh(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(crate) fn end_refresh(&self, number: u64, outcome: Refreshed) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some((number, outcome));
    }

    /// The outcome of the last refresh, if it has this number or a later one.
    pub(crate) fn outcome(&self, number: u64) -> Option<Refreshed> {
        let ended = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.filter(|(last, _)| *last >= number).map(|(_, outcome)| outcome)
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Option<Loaded>> {
        self.board.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Option<Loaded>> {
        self.board.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn entries(&self) -> usize {
        self.read().as_ref().map_or(0, |loaded| loaded.board.players())
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use types::uuid::Uuid;

    use super::*;
    use crate::domain::Score;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn id(number: u128) -> TournamentId {
        Uuid::from_u128(number).into()
    }

    fn fill(shelf: &Shelf, number: u128, entries: u128, now: OffsetDateTime) {
        let scores = (0..entries).map(|one| (Uuid::from_u128(one).into(), Score::new(1, NOW)));
        let loaded = Loaded { board: Board::new(scores), horizon: 1, created_xid: 1 };
        *shelf.slot(id(number), now).write() = Some(loaded);
    }

    fn kept(shelf: &Shelf) -> Vec<u128> {
        let mut kept: Vec<_> = shelf.lock().keys().map(|id| id.uuid().as_u128()).collect();
        kept.sort_unstable();
        kept
    }

    #[test]
    fn idle_boards_are_dropped() {
        let shelf = Shelf::new(100);
        fill(&shelf, 1, 1, NOW);
        fill(&shelf, 2, 1, NOW + Duration::minutes(5));
        shelf.evict(NOW + Duration::minutes(10));
        assert_eq!(kept(&shelf), [2]);
    }

    #[test]
    fn the_boards_used_longest_ago_make_room() {
        let shelf = Shelf::new(100);
        for (number, entries) in [(1_u8, 30), (2, 40), (3, 50)] {
            let now = NOW + Duration::seconds(number.into());
            fill(&shelf, number.into(), entries, now);
        }
        let read = shelf.slot(id(1), NOW + Duration::seconds(9));
        shelf.evict(NOW + Duration::seconds(9));
        assert_eq!(kept(&shelf), [1, 3]);
        drop(read);
        fill(&shelf, 4, 400, NOW + Duration::seconds(10));
        shelf.evict(NOW + Duration::seconds(10));
        assert_eq!(kept(&shelf), [4], "one board may be larger than all may be together");
    }

    #[test]
    fn a_reader_waits_for_a_refresh_that_begins_after_it_came() {
        let slot = Slot::default();
        let early = slot.next_refresh();
        let number = slot.begin_refresh();
        let late = slot.next_refresh();
        slot.end_refresh(number, Refreshed::Current);
        assert_eq!(slot.outcome(early), Some(Refreshed::Current));
        assert_eq!(slot.outcome(late), None);
    }
}
