//! The tournament.

use time::OffsetDateTime;
use types::{Id, Noun};
use uuid::Uuid;

/// A tournament, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    /// Which one.
    pub id: TournamentId,
    /// What people call it.
    pub name: String,
    /// What is played for, and how.
    pub description: String,
    /// The game of svc-games that is played.
    pub game_id: Uuid,
    /// From then on scores count.
    pub starts: OffsetDateTime,
    /// From then on they do not.
    pub ends: OffsetDateTime,
}

/// The id of a tournament.
pub type TournamentId = Id<Named>;

/// The noun of [`TournamentId`].
pub enum Named {}

impl Noun for Named {
    const NAME: &'static str = "tournament";
}
