//! What a withdrawal costs.

use std::str::FromStr;

use thiserror::Error;
use time::{
    Date, OffsetDateTime, format_description::StaticFormatDescription, macros::format_description,
};
use types::{Money, NAIROBI};

const DATE: StaticFormatDescription = format_description!("[year]-[month]-[day]");

/// The fees of withdrawals by amount, in tables that are each valid from a date on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeTable {
    /// The tables, in the order of their dates.
    periods: Vec<Period>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Period {
    from: OffsetDateTime,
    /// The largest amount of each band with its fee, in the order of the amounts.
    bands: Vec<(Money, Money)>,
}

/// The fee of a withdrawal now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Charge {
    pub(crate) fee: Money,
    /// The date from which another table is valid, if one is known.
    pub(crate) valid_until: Option<OffsetDateTime>,
}

/// The text is not a table of fees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidFees {
    #[error("a table does not begin with a date such as 2026-11-22")]
    Date,
    #[error("a band is not an amount and a fee such as 1500=5")]
    Band,
    #[error("dates or amounts do not increase")]
    Order,
    #[error("a table does not reach the largest withdrawal")]
    TooShort,
}

impl FeeTable {
    /// Returns the fee of a withdrawal of `amount` at `now`. The first table's fees hold before its
    /// date, too.
    pub(crate) fn charge(&self, amount: Money, now: OffsetDateTime) -> Charge {
        let begun = self.periods.partition_point(|period| period.from <= now).max(1);
        let bands = self.periods.get(begun - 1).map_or(&[][..], |period| &period.bands);
        let band = bands.iter().find(|(most, _)| amount <= *most).or(bands.last());
        Charge {
            fee: band.map_or(Money::ZERO, |(_, fee)| *fee),
            valid_until: self.periods.get(begun).map(|period| period.from),
        }
    }

    /// Returns the table with PlayOn's own part added to each fee.
    pub(crate) fn with_margin(mut self, margin: Money) -> Self {
        for (_, fee) in self.periods.iter_mut().flat_map(|period| &mut period.bands) {
            *fee = fee.checked_add(margin).unwrap_or(*fee);
        }
        self
    }

    /// Refuses a table that has no fee for an amount up to `most`.
    pub(crate) fn reaching(self, most: Money) -> Result<Self, InvalidFees> {
        let reaches = |period: &Period| period.bands.last().is_some_and(|(last, _)| *last >= most);
        if self.periods.iter().all(reaches) { Ok(self) } else { Err(InvalidFees::TooShort) }
    }
}

/// Parses tables that are separated by semicolons. Each is its first day and its bands, in KES: the
/// largest amount and the fee, as in `2023-08-01 100=0 1500=5`.
impl FromStr for FeeTable {
    type Err = InvalidFees;

    fn from_str(text: &str) -> Result<Self, InvalidFees> {
        let periods: Vec<Period> = text.split(';').map(period).collect::<Result<_, _>>()?;
        if periods.is_sorted_by(|one, next| one.from < next.from) {
            Ok(Self { periods })
        } else {
            Err(InvalidFees::Order)
        }
    }
}

fn period(text: &str) -> Result<Period, InvalidFees> {
    let mut words = text.split_whitespace();
    let from = words.next().and_then(first_moment).ok_or(InvalidFees::Date)?;
    let bands: Vec<_> = words.map(band).collect::<Result<_, _>>()?;
    if bands.is_empty() {
        return Err(InvalidFees::Band);
    }
    if !bands.is_sorted_by(|one, next| one.0 < next.0) {
        return Err(InvalidFees::Order);
    }
    Ok(Period { from, bands })
}

/// Returns the first moment in Nairobi of a day such as `2026-11-22`.
pub(super) fn first_moment(day: &str) -> Option<OffsetDateTime> {
    Some(Date::parse(day, DATE).ok()?.midnight().assume_offset(NAIROBI))
}

fn band(text: &str) -> Result<(Money, Money), InvalidFees> {
    let (most, fee) = text.split_once('=').ok_or(InvalidFees::Band)?;
    let amount = |text| Money::parse(text).ok().filter(|amount| *amount >= Money::ZERO);
    amount(most).zip(amount(fee)).ok_or(InvalidFees::Band)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    fn fee(table: &FeeTable, shillings: i32) -> Money {
        table.charge(Money::from_shillings(shillings), datetime!(2026-11-22 12:00 UTC)).fee
    }

    #[test]
    fn a_fee_follows_from_the_amount() {
        let table: FeeTable = "2023-08-01 100=0 1500=5 250000=13".parse().unwrap();
        for (amount, cost) in [(10, 0), (100, 0), (101, 5), (1500, 5), (1501, 13), (250_000, 13)] {
            assert_eq!(fee(&table, amount), Money::from_shillings(cost), "{amount}");
        }
        let dearer = table.with_margin(Money::from_cents(250));
        assert_eq!(fee(&dearer, 100), Money::from_cents(250));
    }

    #[test]
    fn a_table_holds_from_midnight_in_nairobi_on() {
        let table: FeeTable = "2023-08-01 250000=5; 2026-12-01 250000=9".parse().unwrap();
        let amount = Money::from_shillings(100);
        let change = datetime!(2026-11-30 21:00 UTC);
        assert_eq!(
            table.charge(amount, change - time::Duration::SECOND),
            Charge { fee: Money::from_shillings(5), valid_until: Some(change) }
        );
        assert_eq!(
            table.charge(amount, change),
            Charge { fee: Money::from_shillings(9), valid_until: None }
        );
        let early = datetime!(2020-01-01 0:00 UTC);
        assert_eq!(table.charge(amount, early).fee, Money::from_shillings(5));
    }

    #[test]
    fn refuses_what_is_no_table() {
        for (text, error) in [
            ("", InvalidFees::Date),
            ("100=0", InvalidFees::Date),
            ("2023-08-01", InvalidFees::Band),
            ("2023-08-01 100", InvalidFees::Band),
            ("2023-08-01 100=-1", InvalidFees::Band),
            ("2023-08-01 100=0 100=5", InvalidFees::Order),
            ("2023-08-01 100=0; 2023-08-01 100=5", InvalidFees::Order),
        ] {
            assert_eq!(text.parse::<FeeTable>(), Err(error), "{text}");
        }
        let short: FeeTable = "2023-08-01 100=0".parse().unwrap();
        assert_eq!(short.reaching(Money::from_shillings(101)), Err(InvalidFees::TooShort));
    }
}
