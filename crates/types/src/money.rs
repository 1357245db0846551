//! Kenyan shillings, counted in cents.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An amount of KES in whole cents; may be negative (a debit in the ledger).
///
/// Arithmetic is checked: there is no `+`, so that the caller decides what an overflow
/// means.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Money(i64);

/// Why a text is not an amount of money.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoneyError {
    /// The text is not a plain decimal number.
    #[error("not a plain number")]
    NotANumber,
    /// The number has more than two decimals.
    #[error("more than two decimals")]
    TooFine,
    /// The amount exceeds 64 bits of cents.
    #[error("too large")]
    TooLarge,
}

impl Money {
    /// KES 0.00.
    pub const ZERO: Self = Self(0);

    /// An amount of cents.
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    /// An amount of whole shillings.
    pub const fn from_shillings(shillings: i32) -> Self {
        // i32 shillings always fit i64 cents; `as` because From is not const.
        Self(shillings as i64 * 100)
    }

    /// The amount in cents.
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// Whole shillings, or `None` when there are odd cents. M-Pesa moves
    /// shillings only, and PlayOn refuses rather than rounds.
    pub const fn whole_shillings(self) -> Option<i64> {
        if self.0 % 100 == 0 { Some(self.0 / 100) } else { None }
    }

    /// `self + other`, or `None` on overflow.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// `self - other`, or `None` on overflow.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// `-self`, or `None` on overflow.
    pub fn checked_neg(self) -> Option<Self> {
        self.0.checked_neg().map(Self)
    }

    /// Parses a decimal as JSON writes it: `250`, `12.5`, `12.50`, `-3`.
    ///
    /// Without floating point. An exponent is refused although JSON allows one, because
    /// no client needs to send it.
    pub fn parse(text: &str) -> Result<Self, MoneyError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        if whole.is_empty() || fraction.is_empty() {
            return Err(MoneyError::NotANumber);
        }
        if !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
            return Err(MoneyError::NotANumber);
        }
        let fraction = fraction.trim_end_matches('0');
        let cents: i64 = match fraction.len() {
            0 => 0,
            1 => fraction.parse::<i64>().map_err(|_| MoneyError::NotANumber)? * 10,
            2 => fraction.parse().map_err(|_| MoneyError::NotANumber)?,
            _ => return Err(MoneyError::TooFine),
        };
        let shillings: i64 = whole.parse().map_err(|_| MoneyError::TooLarge)?;
        let total = shillings
            .checked_mul(100)
            .and_then(|whole| whole.checked_add(cents))
            .ok_or(MoneyError::TooLarge)?;
        Ok(Self(if negative { -total } else { total }))
    }

    /// A JSON number literal with at most two decimals: `250`, `12.5`.
    pub fn to_json_literal(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        match (cents / 100, cents % 100) {
            (whole, 0) => format!("{sign}{whole}"),
            (whole, part) if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
            (whole, part) => format!("{sign}{whole}.{part:02}"),
        }
    }
}

/// Formats the amount as players read it: `KES 1,250.00`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = self.0.unsigned_abs();
        let whole = (cents / 100).to_string();
        let mut grouped = String::with_capacity(whole.len() + whole.len() / 3);
        for (i, digit) in whole.chars().enumerate() {
            if i > 0 && (whole.len() - i).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "KES {sign}{grouped}.{:02}", cents % 100)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parses_what_a_client_may_send() {
        for (text, cents) in [
            ("250", 25_000),
            ("12.5", 1_250),
            ("12.50", 1_250),
            ("0.01", 1),
            ("-3", -300),
            ("1.000", 100),
        ] {
            assert_eq!(Money::parse(text), Ok(Money(cents)), "{text}");
        }
    }

    #[test]
    fn refuses_other_texts() {
        for (text, why) in [
            ("", MoneyError::NotANumber),
            ("NaN", MoneyError::NotANumber),
            ("1e30", MoneyError::NotANumber),
            ("1.", MoneyError::NotANumber),
            (".5", MoneyError::NotANumber),
            ("--1", MoneyError::NotANumber),
            ("1,000", MoneyError::NotANumber),
            ("0.001", MoneyError::TooFine),
            ("1000000000000000000000000000000", MoneyError::TooLarge),
            ("92233720368547758.08", MoneyError::TooLarge),
        ] {
            assert_eq!(Money::parse(text), Err(why), "{text}");
        }
    }

    #[test]
    fn shows_players_thousands_and_two_decimals() {
        assert_eq!(Money(125_000).to_string(), "KES 1,250.00");
        assert_eq!(Money(7).to_string(), "KES 0.07");
        assert_eq!(Money(-123_456_789).to_string(), "KES -1,234,567.89");
    }

    #[test]
    fn odd_cents_are_not_whole_shillings() {
        assert_eq!(Money(1_250).whole_shillings(), None);
        assert_eq!(Money(1_200).whole_shillings(), Some(12));
    }

    proptest! {
        #[test]
        fn an_amount_parses_back_from_its_literal(cents in -1_000_000_000_000_i64..1_000_000_000_000) {
            let money = Money(cents);
            prop_assert_eq!(Money::parse(&money.to_json_literal()), Ok(money));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            let _ = Money::parse(&text);
        }
    }
}
