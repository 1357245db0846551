//! Scores and standings.

use strum::{Display, EnumString};
use time::OffsetDateTime;
use types::PlayerId;

use super::TournamentId;

/// How a score is proven. The texts are the values of the columns `trust`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
pub(crate) enum Trust {
    /// The run was replayed.
    Proven,
    /// The game's own server signed the result.
    Signed,
    /// The browser counted the points; no replay or signature proves them.
    Claimed,
}

impl Trust {
    /// Whether an award of money may be paid for such a score.
    pub(crate) const fn wins_cash(self) -> bool {
        matches!(self, Self::Proven | Self::Signed)
    }
}

/// The points of a run, and when they were reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) points: i32,
    /// When the points were reached, to the microsecond, as the database keeps it.
    pub(crate) reached_at: OffsetDateTime,
}

impl Score {
    /// Builds a score, whose time is truncated to the microsecond.
    pub(crate) fn new(points: i32, reached_at: OffsetDateTime) -> Self {
        let nanosecond = reached_at.nanosecond() / 1_000 * 1_000;
        Self { points, reached_at: reached_at.replace_nanosecond(nanosecond).unwrap_or(reached_at) }
    }
}

/// The score of a run in a tournament.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewScore {
    pub(crate) tournament: TournamentId,
    pub(crate) player: PlayerId,
    pub(crate) score: Score,
    pub(crate) trust: Trust,
    /// When the run began.
    pub(crate) began_at: OffsetDateTime,
    /// When an operator released the run.
    pub(crate) released_at: Option<OffsetDateTime>,
}

/// A player's best score and rank after a score was recorded.
pub(crate) struct RecordedScore {
    /// The most points.
    pub(crate) best: i32,
    /// `None` while the board is being loaded, and after the settlement.
    pub(crate) rank: Option<u64>,
}

/// A player's place on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) player: PlayerId,
    /// The place on the board, from 1.
    pub(crate) rank: u64,
    pub(crate) points: i32,
}
