//! Statements: the transactions of some days, with the balances before and after.

use thiserror::Error;
use time::{Date, OffsetDateTime, Time, macros::format_description};
use types::{Language, Money, NAIROBI};

/// The longest range, in days.
const DAYS_MAX: i64 = 366;

/// Some days, from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Days {
    pub(crate) from: Date,
    pub(crate) to: Date,
}

/// Why a range of days is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidDays {
    #[error("a day is not like 2026-11-22")]
    Date,
    #[error("the range ends before it begins")]
    Order,
    #[error("the range is longer than {DAYS_MAX} days")]
    Length,
}

/// A statement of a wallet.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) language: Language,
    /// The name of the player; `None` while it cannot be read.
    pub(crate) holder: Option<String>,
    pub(crate) days: Days,
    /// The balance before the first line, and after the last.
    pub(crate) opening: Money,
    pub(crate) closing: Money,
    /// The lines, the oldest first.
    pub(crate) lines: Vec<StatementLine>,
}

/// A transaction on a statement.
#[derive(Debug, Clone)]
pub(crate) struct StatementLine {
    pub(crate) id: String,
    pub(crate) at: OffsetDateTime,
    /// The key of the title.
    pub(crate) title: &'static str,
    pub(crate) detail: Option<String>,
    /// The amount; positive for money that came in.
    pub(crate) amount: Money,
    /// The wallet's balance after the transaction; `None` for a payment from outside the wallet.
    pub(crate) balance: Option<Money>,
    /// The provider's receipt.
    pub(crate) receipt: Option<String>,
}

impl Days {
    pub(crate) fn parse(from: &str, to: &str) -> Result<Self, InvalidDays> {
        let format = format_description!("[year]-[month]-[day]");
        let date = |text| Date::parse(text, format).map_err(|_| InvalidDays::Date);
        let days = Self { from: date(from)?, to: date(to)? };
        if days.to < days.from {
            return Err(InvalidDays::Order);
        }
        if (days.to - days.from).whole_days() >= DAYS_MAX {
            return Err(InvalidDays::Length);
        }
        Ok(days)
    }

    /// The first moment of the first day.
    pub(crate) fn begins_at(self) -> OffsetDateTime {
        self.from.with_time(Time::MIDNIGHT).assume_offset(NAIROBI)
    }

    /// The first moment after the last day.
    pub(crate) fn ends_at(self) -> OffsetDateTime {
        let last = self.to.with_time(Time::MIDNIGHT).assume_offset(NAIROBI);
        last.checked_add(time::Duration::DAY).unwrap_or(last)
    }
}

impl Statement {
    /// Returns the totals of what came into the wallet, and of what left it.
    pub(crate) fn totals(&self) -> (Money, Money) {
        let moved = self.lines.iter().filter(|line| line.balance.is_some());
        let (into, out): (Vec<Money>, Vec<Money>) =
            moved.map(|line| line.amount).partition(|amount| *amount > Money::ZERO);
        let sum = |amounts: Vec<Money>| {
            let add = |sum: Money, one| sum.checked_add(one).unwrap_or(sum);
            amounts.into_iter().fold(Money::ZERO, add)
        };
        (sum(into), sum(out))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn days_are_those_of_nairobi() {
        let days = Days::parse("2026-11-01", "2026-11-30").unwrap();
        assert_eq!(days.begins_at(), datetime!(2026-10-31 21:00 UTC));
        assert_eq!(days.ends_at(), datetime!(2026-11-30 21:00 UTC));
    }

    #[test]
    fn a_range_is_in_order_and_at_most_366_days() {
        assert!(Days::parse("2026-11-22", "2026-11-22").is_ok());
        assert!(Days::parse("2024-01-01", "2024-12-31").is_ok());
        for (from, to, expected) in [
            ("2026-11-22", "2026-11-21", InvalidDays::Order),
            ("2024-01-01", "2025-01-01", InvalidDays::Length),
            ("0001-01-01", "9999-12-31", InvalidDays::Length),
            ("2026-02-30", "2026-03-01", InvalidDays::Date),
            ("", "2026-03-01", InvalidDays::Date),
            ("2026-03-01", "2026-3-1", InvalidDays::Date),
            ("2026-03-01", "2026-03-01\r\nx: y", InvalidDays::Date),
        ] {
            assert_eq!(Days::parse(from, to), Err(expected), "{from} {to}");
        }
    }
}
