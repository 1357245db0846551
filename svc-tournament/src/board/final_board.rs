//! The board of a settled tournament, which never changes.

use std::{collections::HashMap, sync::Arc};

use mesh::Aged;
use time::Duration;
use types::{Clock, PlayerId};

use crate::domain::{Standing, TournamentId};

/// A cache of settled tournaments' boards. The board of a tournament that is deleted meanwhile, or
/// by another replica, expires.
pub(crate) type FinalBoards = Aged<TournamentId, Arc<FinalBoard>>;

/// The number of final boards in the cache: some 32 MiB, if all have the largest size.
const FINAL_BOARDS: usize = 200;
/// How long a final board is kept.
const AGE: Duration = Duration::minutes(1);

/// Builds an empty cache.
pub(crate) fn final_boards(clock: Clock) -> FinalBoards {
    Aged::new(FINAL_BOARDS, AGE, clock)
}

/// All places of a settled board.
#[derive(Debug)]
pub(crate) struct FinalBoard {
    /// The standings in the order of their ranks.
    standings: Vec<Standing>,
    /// The index of each player's standing.
    positions: HashMap<PlayerId, usize>,
}

impl FinalBoard {
    /// A board of the standings, which are in the order of their ranks.
    pub(crate) fn new(standings: Vec<Standing>) -> Self {
        let positions = standings.iter().enumerate().map(|(at, one)| (one.player, at)).collect();
        Self { standings, positions }
    }

    /// How many players have a place.
    pub(crate) fn players(&self) -> usize {
        self.standings.len()
    }

    /// At most `limit` places after the first `offset`.
    pub(crate) fn page(&self, offset: usize, limit: usize) -> Vec<Standing> {
        self.standings.iter().skip(offset).take(limit).copied().collect()
    }

    /// A player's place.
    pub(crate) fn standing(&self, player: PlayerId) -> Option<Standing> {
        self.positions.get(&player).and_then(|at| self.standings.get(*at).copied())
    }
}
