//! Which withdrawals an operator looks at before they are sent.

use std::time::Duration;

use types::Money;

/// The rules of the operators. They stop an attacker who empties a stolen account at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReviewRules {
    /// A player's first withdrawal above this amount is held.
    pub(crate) first_over: Money,
    /// Withdrawals of players who joined less than this ago are held.
    pub(crate) younger_than: Duration,
}

impl ReviewRules {
    /// Whether an operator looks at a withdrawal of `amount` first. `is_first` says that the player
    /// has no successful withdrawal yet; `age` is how long ago the player joined.
    pub(crate) fn hold(self, amount: Money, is_first: bool, age: Duration) -> bool {
        (is_first && amount > self.first_over) || age < self.younger_than
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: ReviewRules = ReviewRules {
        first_over: Money::from_shillings(20_000),
        younger_than: Duration::from_hours(1),
    };
    const OLD: Duration = Duration::from_hours(1);

    #[test]
    fn a_large_first_withdrawal_is_held() {
        assert!(!RULES.hold(Money::from_shillings(20_000), true, OLD));
        assert!(RULES.hold(Money::from_shillings(20_001), true, OLD));
        assert!(!RULES.hold(Money::from_shillings(20_001), false, OLD));
    }

    #[test]
    fn a_new_players_withdrawal_is_held() {
        let small = Money::from_shillings(10);
        assert!(RULES.hold(small, false, OLD.saturating_sub(Duration::from_secs(1))));
        assert!(!RULES.hold(small, false, OLD));
    }
}
