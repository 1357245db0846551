//! The size of the large data set, and the ids of its players.

use anyhow::{Result, ensure};
use uuid::{Builder, Uuid};

use crate::random::SplitMix64;

/// When the first player signed up: 2024-01-01T00:00:00Z, in milliseconds since the epoch.
const FIRST_SIGN_UP: u64 = 1_704_067_200_000;
/// Milliseconds between two sign-ups; five million of them take less than a year.
const SIGN_UP_INTERVAL: u64 = 6_000;
/// When no player signs up any more and the first money moves: 2025-01-01T00:00:00Z.
pub(crate) const FIRST_MOVEMENT: u64 = 1_735_689_600_000;
/// How long money moves: a year, in milliseconds.
pub(crate) const MOVEMENT_PERIOD: u64 = 365 * 24 * 3_600 * 1_000;
/// A prime above every number of wallets, and so coprime to it.
const SCATTER: u64 = 2_654_435_761;
/// Players with an email and a password, who can sign in.
const READERS: u32 = 500;

/// The size of the data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub(crate) struct Dataset {
    /// Wallets that are loaded before a scenario on large data, each with its player.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=5_000_000))]
    pub(crate) wallets: u32,

    /// Postings that are loaded with the wallets: an even number, at least two for each wallet.
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    pub(crate) postings: u64,
}

impl Dataset {
    /// Fails when the sizes do not fit together.
    pub(crate) fn check(self) -> Result<()> {
        let enough = self.postings >= 2 * u64::from(self.wallets);
        ensure!(enough, "--postings must be at least twice --wallets");
        ensure!(self.postings.is_multiple_of(2), "--postings must be even: a journal has two");
        Ok(())
    }

    /// The number of journals, each of which has two postings.
    pub(crate) const fn journals(self) -> u64 {
        self.postings / 2
    }

    /// A lower and an upper bound of the ids of all players of any data set. No other
    /// player has an id between them, because ids begin with the time of the sign-up.
    pub(crate) fn player_bounds() -> [Uuid; 2] {
        [FIRST_SIGN_UP, FIRST_MOVEMENT]
            .map(|millis| Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid())
    }

    /// The player with this rank in popularity. Ranks are scattered over all players, so
    /// that popular wallets do not share index pages.
    pub(crate) fn by_popularity(self, rank: u32) -> u32 {
        let index = u64::from(rank) * SCATTER % u64::from(self.wallets.max(1));
        u32::try_from(index).unwrap_or_default()
    }

    /// The players who can sign in, evenly spread over all players.
    pub(crate) fn readers(self) -> impl Iterator<Item = u32> {
        let count = self.wallets.min(READERS);
        let step = self.wallets / count.max(1);
        (0..count).map(move |number| number * step)
    }
}

/// The id of a player and of the player's account.
pub(crate) fn player_id(index: u32) -> Uuid {
    uuid_v7(signed_up_at(index), &mut SplitMix64::new(u64::from(index)))
}

/// When a player signed up, in milliseconds since the epoch.
pub(crate) fn signed_up_at(index: u32) -> u64 {
    FIRST_SIGN_UP + u64::from(index) * SIGN_UP_INTERVAL
}

/// The address of a player who can sign in.
pub(crate) fn email(index: u32) -> String {
    format!("bench-large-{index}@playon.example")
}

/// An id that begins with the time, with random bits from `random`.
pub(crate) fn uuid_v7(millis: u64, random: &mut SplitMix64) -> Uuid {
    Builder::from_unix_timestamp_millis(millis, &random.bytes()).into_uuid()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const SMALL: Dataset = Dataset { wallets: 1_000, postings: 10_000 };

    #[test]
    fn ids_of_players_are_within_the_bounds() {
        let [low, high] = Dataset::player_bounds();
        for index in [0, 1, 999, 4_999_999] {
            let id = player_id(index);
            assert!(low <= id && id < high, "{id}");
            assert_eq!(id.get_version_num(), 7);
        }
    }

    #[test]
    fn every_player_has_one_rank_in_popularity() {
        let players: HashSet<u32> =
            (0..SMALL.wallets).map(|rank| SMALL.by_popularity(rank)).collect();
        assert_eq!(players.len(), 1_000);
    }

    #[test]
    fn readers_are_distinct_players_of_the_data_set() {
        for wallets in [1, 3, 499, 1_000, 1_000_000] {
            let dataset = Dataset { wallets, postings: 2 };
            let readers: HashSet<u32> = dataset.readers().collect();
            assert_eq!(readers.len(), usize::try_from(wallets.min(READERS)).unwrap());
            assert!(readers.iter().all(|index| *index < wallets));
        }
    }

    #[test]
    fn sizes_that_do_not_fit_together_are_refused() {
        assert!(SMALL.check().is_ok());
        assert!(Dataset { postings: 1_998, ..SMALL }.check().is_err());
        assert!(Dataset { postings: 9_999, ..SMALL }.check().is_err());
    }
}
