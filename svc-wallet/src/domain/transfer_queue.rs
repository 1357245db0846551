//! Which transfers go to the ledger together.
//!
//! Transfers wait here while others are under way, and then go in one batch: as many as the
//! rules of a batch allow, the first one first.

use std::collections::{HashSet, VecDeque};

use types::PlayerId;

/// Most transfers of one batch.
const BATCH_MAX: usize = 64;
/// Batches under way at once: the next begins beside those that are slow, because they wait for
/// a wallet's lock or for the disk. Otherwise one at a time, so that they are large.
const UNDER_WAY_MAX: usize = 3;
/// Most transfers that wait.
const WAITING_MAX: usize = 1_024;

/// Who pays and who is paid.
pub(crate) trait Wallets {
    fn payer(&self) -> PlayerId;
    fn payee(&self) -> PlayerId;
    /// Whether the caller has gone, so that nothing needs to be done.
    fn is_abandoned(&self) -> bool;
}

/// Transfers that wait, and the wallets of those that are under way.
pub(crate) struct TransferQueue<T> {
    waiting: VecDeque<T>,
    busy: HashSet<PlayerId>,
    under_way: usize,
    /// How many of those under way are slow.
    slow: usize,
}

/// Transfers that go together. Give its wallets back by [`TransferQueue::end`].
#[derive(Debug)]
pub(crate) struct Batch<T> {
    pub(crate) transfers: Vec<T>,
    pub(crate) wallets: Vec<PlayerId>,
}

impl<T> Default for TransferQueue<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), busy: HashSet::new(), under_way: 0, slow: 0 }
    }
}

impl<T: Wallets> TransferQueue<T> {
    /// Adds a transfer; gives it back when too many wait.
    pub(crate) fn push(&mut self, transfer: T) -> Result<(), T> {
        if self.waiting.len() >= WAITING_MAX {
            return Err(transfer);
        }
        self.waiting.push_back(transfer);
        Ok(())
    }

    /// The next batch, if one may begin. In a batch a payer pays once and is not paid, and a
    /// payee may be paid many times. No wallet is in two batches at once: transfers of one
    /// wallet wait here, and not for its lock on a connection each.
    pub(crate) fn take(&mut self) -> Option<Batch<T>> {
        if self.under_way > self.slow || self.under_way >= UNDER_WAY_MAX {
            return None;
        }
        let (mut payers, mut payees) = (HashSet::new(), HashSet::new());
        // Payers with a transfer that was passed over: their later ones wait too.
        let mut passed_over = HashSet::new();
        let mut transfers = Vec::new();
        let mut rest = VecDeque::new();
        while let Some(transfer) = self.waiting.pop_front() {
            if transfer.is_abandoned() {
                continue;
            }
            if transfers.len() >= BATCH_MAX {
                rest.push_back(transfer);
                continue;
            }
            let (payer, payee) = (transfer.payer(), transfer.payee());
            let fits = !self.busy.contains(&payer)
                && !self.busy.contains(&payee)
                && !passed_over.contains(&payer)
                && !payers.contains(&payer)
                && !payees.contains(&payer)
                && !payers.contains(&payee);
            if fits {
                payers.insert(payer);
                payees.insert(payee);
                transfers.push(transfer);
            } else {
                passed_over.insert(payer);
                rest.push_back(transfer);
            }
        }
        self.waiting = rest;
        if transfers.is_empty() {
            return None;
        }
        let wallets: Vec<PlayerId> = payers.union(&payees).copied().collect();
        self.busy.extend(&wallets);
        self.under_way += 1;
        Some(Batch { transfers, wallets })
    }

    /// A batch that is under way turns out to be slow.
    pub(crate) fn mark_slow(&mut self) {
        self.slow += 1;
    }

    /// A batch with these wallets has ended.
    pub(crate) fn end(&mut self, wallets: &[PlayerId], was_slow: bool) {
        for wallet in wallets {
            self.busy.remove(wallet);
        }
        self.under_way -= 1;
        self.slow -= usize::from(was_slow);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use types::uuid::Uuid;

    use super::*;

    #[derive(Debug, Clone, PartialEq, Eq)]
    struct One {
        number: usize,
        payer: u8,
        payee: u8,
        abandoned: bool,
    }

    fn player(number: u8) -> PlayerId {
        Uuid::from_u128(u128::from(number) + 1).into()
    }

    impl Wallets for One {
        fn payer(&self) -> PlayerId {
            player(self.payer)
        }

        fn payee(&self) -> PlayerId {
            player(self.payee)
        }

        fn is_abandoned(&self) -> bool {
            self.abandoned
        }
    }

    fn one(number: usize, payer: u8, payee: u8) -> One {
        One { number, payer, payee, abandoned: false }
    }

    fn numbers(batch: &Batch<One>) -> Vec<usize> {
        batch.transfers.iter().map(|one| one.number).collect()
    }

    #[test]
    fn credits_to_one_payee_go_together_and_a_payers_transfers_one_after_another() {
        let mut queue = TransferQueue::default();
        for transfer in [one(0, 1, 9), one(1, 2, 9), one(2, 1, 3), one(3, 9, 4), one(4, 5, 6)] {
            queue.push(transfer).unwrap();
        }
        let first = queue.take().unwrap();
        assert_eq!(numbers(&first), [0, 1, 4]);
        assert!(queue.take().is_none(), "one batch at a time");
        queue.mark_slow();
        assert!(queue.take().is_none(), "the wallets of the others are busy");
        queue.end(&first.wallets, true);
        assert_eq!(numbers(&queue.take().unwrap()), [2, 3]);
    }

    #[test]
    fn the_next_batch_begins_beside_a_slow_one() {
        let mut queue = TransferQueue::default();
        queue.push(one(0, 1, 2)).unwrap();
        let slow = queue.take().unwrap();
        queue.push(one(1, 3, 4)).unwrap();
        assert!(queue.take().is_none());
        queue.mark_slow();
        let quick = queue.take().unwrap();
        assert_eq!(numbers(&quick), [1]);
        queue.push(one(2, 5, 6)).unwrap();
        assert!(queue.take().is_none(), "the one beside it is not slow");
        queue.end(&quick.wallets, false);
        queue.end(&slow.wallets, true);
        assert_eq!(numbers(&queue.take().unwrap()), [2]);
        queue.push(one(3, 7, 8)).unwrap();
        assert!(queue.take().is_none());
    }

    #[test]
    fn what_waits_is_bounded_and_the_abandoned_are_left_out() {
        let mut queue = TransferQueue::default();
        for number in 0..WAITING_MAX {
            queue.push(One { abandoned: number > 0, ..one(number, 1, 2) }).unwrap();
        }
        assert_eq!(queue.push(one(7, 1, 2)).unwrap_err().number, 7);
        assert_eq!(numbers(&queue.take().unwrap()), [0]);
        assert!(queue.push(one(8, 3, 4)).is_ok(), "the abandoned take no place");
    }

    proptest! {
        #[test]
        fn every_transfer_goes_once_in_batches_that_the_ledger_accepts(
            wallets in prop::collection::vec((0..12_u8, 1..12_u8), 0..200),
            ends in prop::collection::vec(any::<bool>(), 0..200),
        ) {
            let mut queue = TransferQueue::default();
            let all: Vec<One> = wallets.iter().enumerate()
                .map(|(number, (payer, step))| one(number, *payer, (payer + step) % 12))
                .collect();
            for transfer in &all {
                prop_assert!(queue.push(transfer.clone()).is_ok());
            }
            let mut under_way: Vec<Batch<One>> = Vec::new();
            let mut gone: Vec<One> = Vec::new();
            let mut ends = ends.into_iter();
            loop {
                let may_take = under_way.is_empty() || !ends.next().unwrap_or(true);
                if let Some(batch) = may_take.then(|| queue.take()).flatten() {
                    let payers: HashSet<u8> = batch.transfers.iter().map(|t| t.payer).collect();
                    prop_assert_eq!(payers.len(), batch.transfers.len(), "a payer pays twice");
                    let payees: HashSet<u8> = batch.transfers.iter().map(|t| t.payee).collect();
                    prop_assert!(payers.is_disjoint(&payees), "a payer is paid");
                    for other in &under_way {
                        let shared = other.wallets.iter().any(|w| batch.wallets.contains(w));
                        prop_assert!(!shared, "two batches share a wallet");
                    }
                    gone.extend(batch.transfers.iter().cloned());
                    under_way.push(batch);
                    queue.mark_slow();
                } else if let Some(ended) = under_way.pop() {
                    queue.end(&ended.wallets, true);
                } else {
                    break;
                }
            }
            for payer in 0..12 {
                let order = |list: &[One]| -> Vec<usize> {
                    list.iter().filter(|t| t.payer == payer).map(|t| t.number).collect()
                };
                prop_assert_eq!(order(&gone), order(&all), "the order of a payer's transfers");
            }
        }
    }
}
