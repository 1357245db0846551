//! Rounds and their seeds.

use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;

use super::GameId;

/// When the rounds of a tournament are, and what they are played by.
#[derive(Clone)]
pub(crate) struct Schedule {
    pub(crate) game_id: GameId,
    pub(crate) level: i32,
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    pub(crate) rounds: i32,
    pub(crate) runs_per_round: i32,
    /// 32 random bytes. Seeds would be known ahead with it.
    pub(crate) secret: Vec<u8>,
}

/// A round of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Round {
    /// From 0.
    pub(crate) number: u32,
    /// The same for every player.
    pub(crate) seed: i64,
}

impl Schedule {
    /// The round that is on; `None` before the start and from the end on.
    pub(crate) fn round_at(&self, now: OffsetDateTime) -> Option<Round> {
        if now < self.starts || now >= self.ends {
            return None;
        }
        let past = (now - self.starts).whole_microseconds();
        let whole = (self.ends - self.starts).whole_microseconds();
        let number = past * i128::from(self.rounds) / whole;
        let number = u32::try_from(number).ok()?;
        Some(Round { number, seed: self.seed(number) })
    }

    /// The first 8 bytes of a digest of secret and round.
    fn seed(&self, round: u32) -> i64 {
        let digest = Sha256::new().chain_update(&self.secret).chain_update(round.to_be_bytes());
        let mut seed = [0; 8];
        seed.copy_from_slice(&digest.finalize()[..8]);
        i64::from_be_bytes(seed)
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
        }
    }

    #[test]
    fn rounds_are_of_equal_length() {
        let schedule = schedule(3);
        let at = |minutes: i64| {
            let round = schedule.round_at(schedule.starts + Duration::minutes(minutes));
            round.map(|round| round.number)
        };
        assert_eq!(at(-1), None);
        assert_eq!([at(0), at(19), at(20), at(40), at(59)], [0, 0, 1, 2, 2].map(Some));
        assert_eq!(at(60), None);
        let last = schedule.ends - Duration::microseconds(1);
        assert_eq!(schedule.round_at(last).unwrap().number, 2);
    }

    #[test]
    fn a_round_has_one_seed_and_others_have_others() {
        let schedule = schedule(2);
        let first = schedule.round_at(schedule.starts).unwrap();
        let later = schedule.round_at(schedule.starts + Duration::minutes(29)).unwrap();
        let second = schedule.round_at(schedule.starts + Duration::minutes(30)).unwrap();
        assert_eq!(first, later);
        assert_ne!(first.seed, second.seed);
        let other = Schedule { secret: vec![8; 32], ..schedule.clone() };
        assert_ne!(other.round_at(other.starts).unwrap().seed, first.seed);
        let digest = Sha256::digest([[7; 32].as_slice(), &[0; 4]].concat());
        assert_eq!(first.seed.to_be_bytes(), digest[..8]);
    }
}
