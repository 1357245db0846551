//! The play session.

use time::{Duration, OffsetDateTime};
use types::PlayerId;

use super::{GameId, Pieces, Proof, RunRefusal, TournamentRound, Trust};

/// How long a play session is valid, unless its tournament ends earlier.
pub(crate) const LIFETIME: Duration = Duration::hours(2);
/// How long after the end of a tournament its runs may still be submitted: half a minute, and the
/// longest wait that the gateway asks of a run that was repeated too often (`RATE_SCORE`).
const GRACE: Duration = Duration::seconds(40);
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
    /// The game's proof when the session started.
    pub(crate) proof: Proof,
    pub(crate) tournament: Option<TournamentRound>,
    /// The seed and the level of the run. In a tournament they are the round's once the run has
    /// begun. In a live run it is the seed of the first piece.
    pub(crate) seed: i64,
    pub(crate) level: i32,
    /// The pieces of a live run that has begun; `None` in any other.
    pub(crate) pieces: Option<Pieces>,
    pub(crate) started_at: OffsetDateTime,
    /// When the run began; `None` before. Only then its player learns the seed.
    pub(crate) begun_at: Option<OffsetDateTime>,
    pub(crate) expires_at: OffsetDateTime,
}

impl PlaySession {
    /// How long the run has been played at a time; zero before it began.
    pub(crate) fn played_for(&self, now: OffsetDateTime) -> Duration {
        self.begun_at.map_or(Duration::ZERO, |begun_at| now - begun_at)
    }
}

/// Why a session cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    Unknown,
    Expired,
    /// A run was submitted.
    Used,
    NotBegun,
}

/// When a session that starts now, or whose run begins now, expires.
pub(crate) fn expires_at(
    now: OffsetDateTime,
    tournament: Option<&TournamentRound>,
) -> OffsetDateTime {
    let longest = now + LIFETIME;
    tournament.map_or(longest, |tournament| longest.min(tournament.ends_at + GRACE))
}

/// How a play session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunOutcome {
    Scored { points: i32, trust: Trust },
    Refused(RunRefusal),
}

#[cfg(test)]
mod tests {
    use types::uuid::Uuid;

    use super::*;

    #[test]
    fn a_session_ends_with_the_grace_of_its_tournament() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let round = |ends_at| TournamentRound {
            tournament: Uuid::nil().into(),
            round: 0,
            ends_at: now + ends_at,
        };
        assert_eq!(expires_at(now, None), now + Duration::hours(2));
        let soon = round(Duration::minutes(5));
        assert_eq!(expires_at(now, Some(&soon)), now + Duration::seconds(340));
        let late = round(Duration::days(1));
        assert_eq!(expires_at(now, Some(&late)), now + Duration::hours(2));
    }
}
