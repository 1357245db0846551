//! Which transfers are posted in one batch.

use std::collections::HashSet;

use types::PlayerId;

/// The wallets of the transfers of one batch. In a batch a payer pays once and is not paid; a
/// payee may be paid many times.
#[derive(Debug, Default)]
pub(crate) struct TransferBatch {
    payers: HashSet<PlayerId>,
    payees: HashSet<PlayerId>,
}

impl TransferBatch {
    /// Adds a transfer to the batch, unless its wallets conflict with those in it.
    pub(crate) fn join(&mut self, payer: PlayerId, payee: PlayerId) -> bool {
        let fits = !self.payers.contains(&payer)
            && !self.payees.contains(&payer)
            && !self.payers.contains(&payee);
        if fits {
            self.payers.insert(payer);
            self.payees.insert(payee);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use types::uuid::Uuid;

    use super::*;

    fn player(number: u8) -> PlayerId {
        Uuid::from_u128(u128::from(number) + 1).into()
    }

    fn joined(wallets: &[(u8, u8)]) -> Vec<(u8, u8)> {
        let mut batch = TransferBatch::default();
        let joins = |(payer, payee): &&(u8, u8)| batch.join(player(*payer), player(*payee));
        wallets.iter().filter(joins).copied().collect()
    }

    #[test]
    fn credits_to_one_payee_go_together_and_a_payers_transfers_one_after_another() {
        let waiting = [(1, 9), (2, 9), (1, 3), (9, 4), (5, 6)];
        assert_eq!(joined(&waiting), [(1, 9), (2, 9), (5, 6)]);
        assert_eq!(joined(&[(1, 3), (9, 4)]), [(1, 3), (9, 4)]);
    }

    proptest! {
        #[test]
        fn a_batch_is_one_that_the_ledger_accepts(
            wallets in prop::collection::vec((0..12_u8, 1..12_u8), 1..200),
        ) {
            let wallets: Vec<_> =
                wallets.into_iter().map(|(payer, step)| (payer, (payer + step) % 12)).collect();
            let joined = joined(&wallets);
            prop_assert_eq!(joined.first(), wallets.first(), "the first one never waits");
            let payers: HashSet<u8> = joined.iter().map(|(payer, _)| *payer).collect();
            prop_assert_eq!(payers.len(), joined.len(), "a payer pays twice");
            let payees: HashSet<u8> = joined.iter().map(|(_, payee)| *payee).collect();
            prop_assert!(payers.is_disjoint(&payees), "a payer is paid");
        }
    }
}
