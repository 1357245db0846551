//! The rounds of a tournament.

use time::OffsetDateTime;

use super::GameId;

/// The schedule of a tournament's rounds, with their game, level and secret.
#[derive(Clone)]
pub(crate) struct Schedule {
    pub(crate) game_id: GameId,
    pub(crate) level: i32,
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    pub(crate) rounds: i32,
    pub(crate) runs_per_round: i32,
    /// 32 random bytes, from which the seeds of all rounds follow.
    pub(crate) secret: Vec<u8>,
    /// SHA-256 of the rules module by which scores are proven.
    pub(crate) rules_sha256: Option<Vec<u8>>,
    /// The public key by which scores are proven.
    pub(crate) score_key: Option<Vec<u8>>,
}

impl Schedule {
    /// The number of the round that is on, from 0; `None` before the start and from the end on.
    pub(crate) fn round_at(&self, now: OffsetDateTime) -> Option<u32> {
        if now < self.starts || now >= self.ends {
            return None;
        }
        let past = (now - self.starts).whole_microseconds();
        let whole = (self.ends - self.starts).whole_microseconds();
        u32::try_from(past * i128::from(self.rounds) / whole).ok()
    }
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};
    use types::uuid::Uuid;

    use super::*;

    fn schedule(rounds: i32) -> Schedule {
        let starts = datetime!(2026-11-20 09:00 UTC);
        Schedule {
            game_id: Uuid::nil().into(),
            level: 0,
            starts,
            ends: starts + Duration::hours(1),
            rounds,
            runs_per_round: 3,
            secret: vec![7; 32],
            rules_sha256: None,
            score_key: None,
        }
    }

    #[test]
    fn rounds_are_of_equal_length() {
        let schedule = schedule(3);
        let at = |minutes: i64| schedule.round_at(schedule.starts + Duration::minutes(minutes));
        assert_eq!(at(-1), None);
        assert_eq!([at(0), at(19), at(20), at(40), at(59)], [0, 0, 1, 2, 2].map(Some));
        assert_eq!(at(60), None);
        let last = schedule.ends - Duration::microseconds(1);
        assert_eq!(schedule.round_at(last), Some(2));
    }
}
