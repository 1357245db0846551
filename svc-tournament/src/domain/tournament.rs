//! The tournament.

use time::OffsetDateTime;

types::id! {
    /// Identifies a tournament.
    pub(crate) TournamentId: "tournament"
}

types::id! {
    /// Identifies a game of svc-games.
    pub(crate) GameId: "game"
}

/// A tournament, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tournament {
    pub(crate) id: TournamentId,
    pub(crate) name: String,
    pub(crate) description: String,
    /// The game that is played.
    pub(crate) game_id: GameId,
    /// The first moment at which scores count.
    pub(crate) starts: OffsetDateTime,
    /// The first moment at which they no longer do.
    pub(crate) ends: OffsetDateTime,
}
