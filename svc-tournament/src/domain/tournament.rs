//! The tournament, and its entry in the hall of fame.

use time::{Duration, OffsetDateTime};
use types::{LocalText, Money, PlayerId};

types::id! {
    /// Identifies a tournament.
    pub(crate) TournamentId: "tournament"
}

types::id! {
    /// Identifies a game of svc-games.
    pub(crate) GameId: "game"
}

types::id! {
    /// Identifies an entry of the hall of fame.
    pub(crate) FameId: "hall of fame entry"
}

/// How long after the end a run that was started in time may be submitted: half a minute, and the
/// longest wait that the gateway asks of a run that was repeated too often (`RATE_SCORE`).
pub(crate) const GRACE: Duration = Duration::seconds(40);

/// How long after the end of a tournament operators release runs that win its awards.
pub(crate) const LATE_SCORES: Duration = Duration::days(7);

/// A tournament, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tournament {
    pub(crate) id: TournamentId,
    pub(crate) name: String,
    pub(crate) description: LocalText,
    /// The game that is played.
    pub(crate) game_id: GameId,
    /// The first moment at which scores count.
    pub(crate) starts: OffsetDateTime,
    /// The first moment at which scores no longer count.
    pub(crate) ends: OffsetDateTime,
    /// The number of players who have a score.
    pub(crate) players: i64,
    /// The sum of the cash awards.
    pub(crate) cash: Option<Money>,
    /// The name of the first position's award; empty without awards.
    pub(crate) first_award: LocalText,
    pub(crate) rounds: i32,
    pub(crate) runs_per_round: i32,
    /// Whether the board is final.
    pub(crate) settled: bool,
}

/// The podium of a tournament, in the hall of fame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FameEntry {
    pub(crate) id: FameId,
    pub(crate) title: LocalText,
    pub(crate) description: LocalText,
    /// The players of the podium, in order of place.
    pub(crate) members: Vec<PlayerId>,
    pub(crate) created_at: OffsetDateTime,
}
