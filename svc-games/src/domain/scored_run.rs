//! Runs that have a score.

use time::OffsetDateTime;
use types::PlayerId;

use super::{GameId, PlaySessionId, RulesHash, TournamentRound};

/// The seeds of a run that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seeds {
    /// The seed of the run, of its first piece in a live run.
    pub(crate) first: i64,
    /// The seeds of the other pieces that a live run reached.
    pub(crate) next: Vec<i64>,
}

/// A run with a score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScoredRun {
    pub(crate) session: PlaySessionId,
    pub(crate) player: PlayerId,
    pub(crate) game: GameId,
    pub(crate) rules: Option<RulesHash>,
    pub(crate) tournament: Option<TournamentRound>,
    pub(crate) seeds: Seeds,
    pub(crate) level: i32,
    pub(crate) points: i32,
    /// The inputs that count.
    pub(crate) inputs: Vec<u8>,
    /// When the run was submitted.
    pub(crate) reached_at: OffsetDateTime,
    /// When the run began; to the second for a run that was held.
    pub(crate) began_at: OffsetDateTime,
}

/// A run that can be watched: the game's page plays its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) player: PlayerId,
    pub(crate) game: GameId,
    pub(crate) game_url: String,
    pub(crate) points: i32,
    pub(crate) session: PlaySessionId,
    pub(crate) rules: RulesHash,
    pub(crate) seeds: Seeds,
    pub(crate) level: i32,
    /// The inputs that count.
    pub(crate) inputs: Vec<u8>,
    pub(crate) reached_at: OffsetDateTime,
}
