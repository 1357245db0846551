//! Limits on amounts.

use thiserror::Error;
use types::Money;

/// The limits of one way of moving money.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The smallest amount of one payment.
    pub(crate) least: Money,
    /// The largest amount of one payment.
    pub(crate) most: Money,
    /// The most that a player may pay in a day.
    pub(crate) daily: Money,
    /// Whether odd cents are refused: M-Pesa moves whole shillings.
    pub(crate) whole_shillings: bool,
}

/// Why an amount is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum OutOfLimits {
    /// The amount is below `least` or above `most`.
    #[error("not between {least} and {most}")]
    Range { least: Money, most: Money },
    /// M-Pesa cannot move cents.
    #[error("not whole shillings")]
    OddCents,
    /// Together with today's other payments the amount is above `daily`.
    #[error("more than {daily} in a day")]
    Daily { daily: Money },
}

impl Limits {
    /// The limits of paying in: KES 1 to 250,000 at a time, 500,000 a day.
    pub(crate) const fn paying_in(whole_shillings: bool) -> Self {
        Self {
            least: Money::from_shillings(1),
            most: Money::from_shillings(250_000),
            daily: Money::from_shillings(500_000),
            whole_shillings,
        }
    }

    /// The limits of withdrawals: KES 10 to 250,000 at a time, 500,000 a day.
    pub(crate) const fn paying_out() -> Self {
        Self { least: Money::from_shillings(10), ..Self::paying_in(true) }
    }

    /// Checks an amount against the limits of one payment.
    pub(crate) fn check(&self, amount: Money) -> Result<(), OutOfLimits> {
        if amount < self.least || amount > self.most {
            return Err(OutOfLimits::Range { least: self.least, most: self.most });
        }
        if self.whole_shillings && amount.whole_shillings().is_none() {
            return Err(OutOfLimits::OddCents);
        }
        Ok(())
    }

    /// Checks an amount together with what the player has paid today already.
    pub(crate) fn check_daily(&self, amount: Money, today: Money) -> Result<(), OutOfLimits> {
        match today.checked_add(amount) {
            Some(total) if total <= self.daily => Ok(()),
            _ => Err(OutOfLimits::Daily { daily: self.daily }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_amounts_outside_the_range() {
        let limits = Limits::paying_in(true);
        for (cents, fits) in [
            (-100, false),
            (0, false),
            (99, false),
            (100, true),
            (25_000_000, true),
            (25_000_100, false),
            (i64::MAX, false),
            (i64::MIN, false),
        ] {
            assert_eq!(limits.check(Money::from_cents(cents)).is_ok(), fits, "{cents}");
        }
    }

    #[test]
    fn refuses_cents_for_mpesa_only() {
        let odd = Money::from_cents(150);
        assert_eq!(Limits::paying_in(true).check(odd), Err(OutOfLimits::OddCents));
        assert_eq!(Limits::paying_in(false).check(odd), Ok(()));
    }

    #[test]
    fn refuses_more_than_half_a_million_a_day() {
        let limits = Limits::paying_in(true);
        let today = Money::from_shillings(400_000);
        assert!(limits.check_daily(Money::from_shillings(100_000), today).is_ok());
        assert!(limits.check_daily(Money::from_shillings(100_001), today).is_err());
        assert!(limits.check_daily(Money::from_cents(i64::MAX), today).is_err());
    }
}
