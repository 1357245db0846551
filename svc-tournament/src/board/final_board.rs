//! The board of a settled tournament, which never changes.

use std::collections::HashMap;

use types::PlayerId;

use crate::domain::Standing;

/// All places of a settled board.
#[derive(Debug)]
pub(crate) struct FinalBoard {
    /// By rank.
    standings: Vec<Standing>,
    /// Where each player stands among them.
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
