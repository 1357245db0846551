//! A question for the players of a game.

use time::OffsetDateTime;
use types::PlayerId;

use super::GameId;

/// Which players of a game are listed: those who played it last at or after `since` and before
/// `before`, by id from the one after `after` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayersOf {
    pub(crate) game: GameId,
    pub(crate) since: OffsetDateTime,
    pub(crate) before: OffsetDateTime,
    pub(crate) after: Option<PlayerId>,
    pub(crate) limit: i64,
}
