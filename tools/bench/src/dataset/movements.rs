//! The movements of money that the large data set consists of, in the order of time.

use anyhow::{Result, ensure};

use crate::{
    dataset::players::{Dataset, FIRST_MOVEMENT, MOVEMENT_PERIOD},
    random::{SplitMix64, Zipf},
};

/// The seed of all movements.
const SEED: u64 = 6;
/// Boosts among the movements after every wallet's first top-up, in percent.
const BOOSTS: u64 = 80;
/// Cents of one Kenyan shilling.
const CENTS: i64 = 100;

/// How money moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A top-up from M-Pesa into the player's own wallet.
    TopUp,
    /// A boost from the player's wallet into another player's.
    Boost {
        /// The payer's balance after the boost, in cents.
        payer_after: i64,
    },
}

/// One payment and its journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Movement {
    /// The movement's place in the order of time, from 0.
    pub(crate) number: u64,
    /// When the money moved, in milliseconds since the epoch.
    pub(crate) at: u64,
    pub(crate) kind: Kind,
    pub(crate) payer: u32,
    pub(crate) beneficiary: u32,
    pub(crate) cents: i64,
    /// The beneficiary's balance after the movement, in cents.
    pub(crate) beneficiary_after: i64,
}

/// A wallet after some movements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wallet {
    /// The balance in cents.
    pub(crate) cents: i64,
    /// How many postings the wallet has.
    pub(crate) version: i64,
}

/// Generates the movements of a data set; two generators of equal size yield the same.
pub(crate) struct Movements<'a> {
    dataset: Dataset,
    /// The popularity of beneficiaries.
    zipf: &'a Zipf,
    random: SplitMix64,
    wallets: Vec<Wallet>,
    next: u64,
}

impl<'a> Movements<'a> {
    /// A generator at the first movement.
    pub(crate) fn new(dataset: Dataset, zipf: &'a Zipf) -> Result<Self> {
        let wallets = vec![Wallet::default(); usize::try_from(dataset.wallets)?];
        Ok(Self { dataset, zipf, random: SplitMix64::new(SEED), wallets, next: 0 })
    }

    /// The wallets after the last movement, by index; fails before the last movement.
    pub(crate) fn into_wallets(self) -> Result<Vec<Wallet>> {
        ensure!(self.next == self.dataset.journals(), "movements are left");
        Ok(self.wallets)
    }

    fn top_up(&mut self, beneficiary: u32) -> Option<(Kind, u32, i64, i64)> {
        let cents = i64::try_from(50 + self.random.below(1_951)).ok()? * CENTS;
        let after = self.post(beneficiary, cents)?;
        Some((Kind::TopUp, beneficiary, cents, after))
    }

    /// A boost of KES 1 to 100 from `payer` to a popular player, or a top-up when the
    /// wallet does not cover it.
    fn boost(&mut self, payer: u32) -> Option<(Kind, u32, i64, i64)> {
        let cents = i64::try_from(1 + self.random.below(100)).ok()? * CENTS;
        let beneficiary = self.dataset.by_popularity(self.zipf.rank(&mut self.random));
        let covered = self.wallet(payer)?.cents >= cents;
        if beneficiary == payer || !covered {
            return self.top_up(payer);
        }
        let payer_after = self.post(payer, -cents)?;
        let after = self.post(beneficiary, cents)?;
        Some((Kind::Boost { payer_after }, beneficiary, cents, after))
    }

    /// Changes a balance and returns the new one.
    fn post(&mut self, index: u32, cents: i64) -> Option<i64> {
        let wallet = self.wallet(index)?;
        wallet.cents += cents;
        wallet.version += 1;
        Some(wallet.cents)
    }

    fn wallet(&mut self, index: u32) -> Option<&mut Wallet> {
        self.wallets.get_mut(usize::try_from(index).ok()?)
    }
}

impl Iterator for Movements<'_> {
    type Item = Movement;

    fn next(&mut self) -> Option<Movement> {
        let (number, journals) = (self.next, self.dataset.journals());
        if number >= journals {
            return None;
        }
        let wallets = u64::from(self.dataset.wallets);
        let payer = if number < wallets { number } else { self.random.below(wallets) };
        let payer = u32::try_from(payer).ok()?;
        let boost = number >= wallets && self.random.below(100) < BOOSTS;
        let (kind, beneficiary, cents, beneficiary_after) =
            if boost { self.boost(payer)? } else { self.top_up(payer)? };
        self.next += 1;
        let at = FIRST_MOVEMENT + MOVEMENT_PERIOD / journals * number;
        Some(Movement { number, at, kind, payer, beneficiary, cents, beneficiary_after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Dataset = Dataset { wallets: 100, postings: 5_000 };

    #[test]
    fn balances_follow_from_the_movements_and_are_never_negative() {
        let zipf = Zipf::new(SMALL.wallets);
        let mut movements = Movements::new(SMALL, &zipf).unwrap();
        let mut balances = vec![0_i64; 100];
        let place = |index: u32| usize::try_from(index).unwrap();
        for movement in movements.by_ref() {
            if let Kind::Boost { payer_after } = movement.kind {
                balances[place(movement.payer)] -= movement.cents;
                assert_eq!(balances[place(movement.payer)], payer_after);
                assert!(payer_after >= 0);
                assert_ne!(movement.payer, movement.beneficiary);
            } else {
                assert_eq!(movement.payer, movement.beneficiary);
            }
            balances[place(movement.beneficiary)] += movement.cents;
            assert_eq!(balances[place(movement.beneficiary)], movement.beneficiary_after);
        }
        let wallets = movements.into_wallets().unwrap();
        let cents: Vec<i64> = wallets.iter().map(|wallet| wallet.cents).collect();
        assert_eq!(cents, balances);
    }

    #[test]
    fn every_journal_has_a_movement_and_every_wallet_a_posting() {
        let zipf = Zipf::new(SMALL.wallets);
        let mut movements = Movements::new(SMALL, &zipf).unwrap();
        assert_eq!(movements.by_ref().count(), 2_500);
        assert!(movements.into_wallets().unwrap().iter().all(|wallet| wallet.version > 0));
    }

    #[test]
    fn both_kinds_of_movements_occur_and_two_generators_agree() {
        let zipf = Zipf::new(SMALL.wallets);
        let all: Vec<Movement> = Movements::new(SMALL, &zipf).unwrap().collect();
        assert!(all.iter().any(|movement| movement.kind == Kind::TopUp && movement.number > 100));
        assert!(all.iter().any(|movement| movement.kind != Kind::TopUp));
        assert!(all.is_sorted_by_key(|movement| movement.at));
        assert!(Movements::new(SMALL, &zipf).unwrap().eq(all));
    }
}
