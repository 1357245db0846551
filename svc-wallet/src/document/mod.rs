//! Statements as documents: CSV for programs, PDF for people.

mod csv;
mod font;
mod pdf;

pub(crate) use csv::csv;
pub(crate) use pdf::pdf;

use time::{Date, OffsetDateTime};
use types::Money;

use crate::domain::NAIROBI;

/// `1,250.00`, without the currency.
fn figure(money: Money) -> String {
    money.to_string().trim_start_matches("KES ").to_owned()
}

/// `22 Nov 2026`
fn day(date: Date) -> String {
    let month = &date.month().to_string()[..3];
    format!("{} {month} {}", date.day(), date.year())
}

/// Day and time in Nairobi.
fn local(at: OffsetDateTime) -> OffsetDateTime {
    at.to_offset(NAIROBI)
}
