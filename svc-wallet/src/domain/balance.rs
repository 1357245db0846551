//! Comparing M-Pesa's balance with the ledger.
//!
//! The ledger does not know what PlayOn had at M-Pesa before its first payment, so only movements
//! are compared: since the base, which is the first comparison, or the last one that an operator
//! explained.

use time::Duration;
use types::Money;

/// Comparisons of a day that must find the two apart, before it counts: a payment may be under way
/// during one of them.
pub(crate) const TRIES: i64 = 3;
/// The longest time from a balance query to its comparison. The ledger moves on meanwhile.
pub(crate) const ANSWERED_IN: Duration = Duration::MINUTE;

/// M-Pesa's balance and the ledger's at one time, or how they moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Balances {
    /// What M-Pesa has, in cents.
    pub(crate) theirs: i64,
    /// The sum of the ledger's movements at M-Pesa, in cents.
    pub(crate) ours: i64,
}

impl Balances {
    /// Returns the movements since an earlier comparison.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self { theirs: self.theirs - earlier.theirs, ours: self.ours - earlier.ours }
    }

    /// Whether M-Pesa's balance moved otherwise than the ledger's, by more than `tolerance`.
    pub(crate) fn is_apart(self, tolerance: Money) -> bool {
        (self.theirs - self.ours).unsigned_abs() > tolerance.cents().unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_movements_count_and_both_ways() {
        let tolerance = Money::from_shillings(10);
        // M-Pesa had money before the first payment.
        let first = Balances { theirs: 1_000_000, ours: 0 };
        for (theirs, is_apart) in [
            (1_050_000, false),
            (1_049_000, false),
            (1_048_999, true),
            (1_051_000, false),
            (1_051_001, true),
            (950_000, true),
        ] {
            let moved = Balances { theirs, ours: 50_000 }.since(first);
            assert_eq!(moved.is_apart(tolerance), is_apart, "{theirs}");
        }
    }
}
