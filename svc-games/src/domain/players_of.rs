//! A query for the players of a game.

use time::OffsetDateTime;
use types::PlayerId;

use super::GameId;

/// Selects the players who last played a game at or after `since` and before `before`, in the order
/// of their ids, beginning after the player `after`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayersOf {
    pub(crate) game: GameId,
    pub(crate) since: OffsetDateTime,
    pub(crate) before: OffsetDateTime,
    pub(crate) after: Option<PlayerId>,
    pub(crate) limit: i64,
}
