//! The taxes that the law takes of money in wallets.

use std::{fmt, str::FromStr};

use thiserror::Error;
use time::OffsetDateTime;
use types::Money;

use super::{HouseAccount, JournalKind, fees};

/// The rates of all taxes, in tables that are each valid from a date on. Before the first table,
/// and without any, nothing is taxed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaxTable {
    /// The tables, in the order of their dates.
    periods: Vec<Period>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Period {
    from: OffsetDateTime,
    excise: TaxRate,
    withholding: TaxRate,
}

/// A part of an amount, in hundredths of a percent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TaxRate(u32);

/// A tax on money that reaches a wallet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tax {
    /// The duty on money that comes into a wallet from outside.
    Excise,
    /// The tax that is withheld from a prize.
    Withholding,
}

/// The sum of a tax on some days, less what was returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TaxSum {
    pub(crate) tax: Tax,
    pub(crate) sum: Money,
    /// How many times the tax was taken.
    pub(crate) count: i64,
}

/// The text is not a table of taxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidTaxes {
    #[error("a table does not begin with a date such as 2026-11-22")]
    Date,
    #[error("a rate is not topup or prize with a percentage from 0 to 100, such as topup=2.5")]
    Rate,
    #[error("the dates do not increase")]
    Order,
}

impl TaxTable {
    /// Returns the rate of a tax at this time.
    pub(crate) fn rate(&self, tax: Tax, now: OffsetDateTime) -> TaxRate {
        let period = self.periods.iter().rev().find(|period| period.from <= now);
        period.map_or_else(TaxRate::default, |period| match tax {
            Tax::Excise => period.excise,
            Tax::Withholding => period.withholding,
        })
    }
}

impl Tax {
    pub(crate) const ALL: [Self; 2] = [Self::Excise, Self::Withholding];

    /// Returns the kind of the journals that take the tax.
    pub(crate) const fn journal_kind(self) -> JournalKind {
        match self {
            Self::Excise => JournalKind::Excise,
            Self::Withholding => JournalKind::Withholding,
        }
    }

    /// Returns the account of what PlayOn owes to the state.
    pub(crate) const fn account(self) -> HouseAccount {
        match self {
            Self::Excise => HouseAccount::ExciseDuty,
            Self::Withholding => HouseAccount::WithholdingTax,
        }
    }
}

impl TaxRate {
    /// Returns this part of an amount, rounded to whole cents; half a cent is rounded up.
    pub(crate) fn of(self, amount: Money) -> Money {
        let part = (i128::from(amount.cents()) * i128::from(self.0) + 5_000) / 10_000;
        i64::try_from(part).map_or(amount, Money::from_cents)
    }

    /// Returns the hundredths of a percent.
    pub(crate) const fn hundredths(self) -> u32 {
        self.0
    }
}

/// Writes the percentage, such as `5%` or `2.5%`.
impl fmt::Display for TaxRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, hundredths) = (self.0 / 100, self.0 % 100);
        match hundredths {
            0 => write!(f, "{whole}%"),
            tenths if tenths % 10 == 0 => write!(f, "{whole}.{}%", tenths / 10),
            _ => write!(f, "{whole}.{hundredths:02}%"),
        }
    }
}

/// Parses tables that are separated by semicolons, each with its first day and the percentages of
/// top-ups and of prizes, as in `2027-01-01 topup=5; 2027-07-01 topup=5 prize=20`. A percentage
/// that a table does not have is 0.
impl FromStr for TaxTable {
    type Err = InvalidTaxes;

    fn from_str(text: &str) -> Result<Self, InvalidTaxes> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let periods: Vec<Period> = text.split(';').map(period).collect::<Result<_, _>>()?;
        if periods.is_sorted_by(|one, next| one.from < next.from) {
            Ok(Self { periods })
        } else {
            Err(InvalidTaxes::Order)
        }
    }
}

fn period(text: &str) -> Result<Period, InvalidTaxes> {
    let mut words = text.split_whitespace();
    let from = words.next().and_then(fees::first_moment).ok_or(InvalidTaxes::Date)?;
    let mut period = Period { from, excise: TaxRate::default(), withholding: TaxRate::default() };
    for word in words {
        let (name, percent) = word.split_once('=').ok_or(InvalidTaxes::Rate)?;
        // A percentage has two decimals at most, as an amount of KES has.
        let hundredths = Money::parse(percent).map_err(|_| InvalidTaxes::Rate)?.cents();
        let rate = u32::try_from(hundredths).ok().filter(|rate| *rate <= 10_000);
        let rate = rate.map(TaxRate).ok_or(InvalidTaxes::Rate)?;
        let place = match name {
            "topup" => &mut period.excise,
            "prize" => &mut period.withholding,
            _ => return Err(InvalidTaxes::Rate),
        };
        if *place != TaxRate::default() {
            return Err(InvalidTaxes::Rate);
        }
        *place = rate;
    }
    Ok(period)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_rate_holds_from_midnight_in_nairobi_until_the_next_table() {
        let taxes: TaxTable =
            "2027-01-01 topup=5; 2027-07-01 topup=2.5 prize=20; 2028-01-01".parse().unwrap();
        let rates = |at| Tax::ALL.map(|tax| taxes.rate(tax, at).to_string());
        let begin = datetime!(2026-12-31 21:00 UTC);
        assert_eq!(rates(begin - time::Duration::SECOND), ["0%", "0%"]);
        assert_eq!(rates(begin), ["5%", "0%"]);
        assert_eq!(rates(datetime!(2027-07-01 12:00 UTC)), ["2.5%", "20%"]);
        assert_eq!(rates(datetime!(2028-01-01 12:00 UTC)), ["0%", "0%"]);
        assert_eq!("".parse(), Ok(TaxTable::default()));
    }

    #[test]
    fn a_tax_is_whole_cents_and_never_more_than_the_amount() {
        for (rate, cents, tax) in [
            (500, 10_000, 500),
            (500, 1, 0),
            (500, 9, 0),
            (500, 10, 1),
            (1_234, 100_000_000, 12_340_000),
            (10_000, 99, 99),
            (0, 10_000, 0),
        ] {
            let amount = Money::from_cents(cents);
            assert_eq!(TaxRate(rate).of(amount), Money::from_cents(tax), "{rate} of {cents}");
        }
    }

    #[test]
    fn a_rate_is_written_without_needless_zeros() {
        for (rate, text) in [(0, "0%"), (500, "5%"), (250, "2.5%"), (1_605, "16.05%")] {
            assert_eq!(TaxRate(rate).to_string(), text);
        }
    }

    #[test]
    fn refuses_what_is_no_table() {
        for (text, error) in [
            ("topup=5", InvalidTaxes::Date),
            ("2027-01-01 topup", InvalidTaxes::Rate),
            ("2027-01-01 topup=-1", InvalidTaxes::Rate),
            ("2027-01-01 topup=100.01", InvalidTaxes::Rate),
            ("2027-01-01 topup=1.234", InvalidTaxes::Rate),
            ("2027-01-01 package=5", InvalidTaxes::Rate),
            ("2027-01-01 topup=5 topup=6", InvalidTaxes::Rate),
            ("2027-01-01 topup=5; 2027-01-01 topup=6", InvalidTaxes::Order),
        ] {
            assert_eq!(text.parse::<TaxTable>(), Err(error), "{text}");
        }
    }
}
