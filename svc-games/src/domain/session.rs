//! The play session.

use time::{Duration, OffsetDateTime};
use types::PlayerId;

use super::{GameId, RulesHash, RunRefusal, Trust};

/// How long a play session is valid.
pub(crate) const LIFETIME: Duration = Duration::hours(2);
/// How long after its end a session is kept.
pub(crate) const RETENTION: Duration = Duration::days(7);

types::id! {
    /// Identifies a play session.
    pub(crate) PlaySessionId: "play session"
}

/// The permission to play one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlaySession {
    pub(crate) id: PlaySessionId,
    pub(crate) player: PlayerId,
    pub(crate) game: GameId,
    pub(crate) rules: RulesHash,
    pub(crate) seed: i64,
    pub(crate) level: i32,
    pub(crate) started_at: OffsetDateTime,
    pub(crate) expires_at: OffsetDateTime,
}

/// What a play session ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Scored { points: i32, trust: Trust },
    Refused(RunRefusal),
}
