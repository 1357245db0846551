//! What this service knows of tournaments.

use time::{Duration, OffsetDateTime};
use types::PlayerId;

use super::{GameId, PieceKey, Proof, Trust};

types::id! {
    /// Identifies a tournament.
    pub(crate) TournamentId: "tournament"
}

/// How long after the end of a tournament its counts of runs are kept.
pub(crate) const COUNTS_RETENTION: Duration = Duration::days(7);
/// How long after the end of a tournament its runs can be watched.
pub(crate) const RUNS_RETENTION: Duration = Duration::days(365);

/// The round of a tournament in which a session started or its run began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TournamentRound {
    pub(crate) tournament: TournamentId,
    /// Number of the round, from 0.
    pub(crate) round: i32,
    /// The end of the tournament.
    pub(crate) ends_at: OffsetDateTime,
}

/// The round of a tournament that is on now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenRound {
    pub(crate) game: GameId,
    pub(crate) level: i32,
    pub(crate) seed: i64,
    /// The key of the seeds of live runs; `None` from a svc-tournament of an earlier release.
    pub(crate) piece_key: Option<PieceKey>,
    pub(crate) runs_per_round: u32,
    /// How scores are proven; `None` in a tournament of an earlier release, which follows its game.
    pub(crate) proof: Option<Proof>,
    pub(crate) round: TournamentRound,
}

impl OpenRound {
    /// How many runs a player has left who had this many.
    pub(crate) fn runs_left(&self, runs: i32) -> u32 {
        self.runs_per_round.saturating_sub(runs.unsigned_abs())
    }
}

/// What a player may still play in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoundRuns {
    pub(crate) runs_left: u32,
    /// Whether a run that has begun in the tournament can still be submitted.
    pub(crate) has_open_run: bool,
    /// Number of the round, from 0.
    pub(crate) round: i32,
}

/// A score for the board of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TournamentScore {
    pub(crate) tournament: TournamentId,
    pub(crate) player: PlayerId,
    pub(crate) points: i32,
    pub(crate) trust: Trust,
    pub(crate) reached_at: OffsetDateTime,
    /// When the run began: the package that the player held then has the award's tier.
    pub(crate) began_at: OffsetDateTime,
    /// When an operator released the run.
    pub(crate) released_at: Option<OffsetDateTime>,
}

/// The player's best score and rank once a score is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardPlace {
    /// The player's best score in the tournament.
    pub(crate) best: i32,
    /// `None` outside a tournament, for a score that is not recorded yet, and while svc-tournament
    /// reads the board from its database.
    pub(crate) rank: Option<u64>,
}
