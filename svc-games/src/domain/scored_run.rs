//! Runs that have a score.

use time::OffsetDateTime;
use types::PlayerId;

use super::{GameId, PlaySessionId, RulesHash, TournamentRound};

/// A run with a score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScoredRun {
    pub(crate) session: PlaySessionId,
    pub(crate) player: PlayerId,
    pub(crate) game: GameId,
    pub(crate) rules: Option<RulesHash>,
    pub(crate) tournament: Option<TournamentRound>,
    pub(crate) seed: i64,
    pub(crate) level: i32,
    pub(crate) points: i32,
    /// The inputs as they were submitted.
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
    pub(crate) rules: RulesHash,
    pub(crate) seed: i64,
    pub(crate) level: i32,
    /// The inputs as they were submitted.
    pub(crate) inputs: Vec<u8>,
    pub(crate) reached_at: OffsetDateTime,
}
