//! Statements as documents: CSV for programs, PDF for people.

mod csv;
mod font;
mod pdf;

pub(crate) use csv::csv;
pub(crate) use pdf::pdf;

use time::{Date, OffsetDateTime};
use types::Money;

use crate::domain::NAIROBI;

/// Formats an amount without the currency: `1,250.00`.
fn figure(money: Money) -> String {
    money.to_string().trim_start_matches("KES ").to_owned()
}

/// Formats a date: `22 Nov 2026`.
fn day(date: Date) -> String {
    let month = &date.month().to_string()[..3];
    format!("{} {month} {}", date.day(), date.year())
}

/// Converts a time to Nairobi's.
fn local(at: OffsetDateTime) -> OffsetDateTime {
    at.to_offset(NAIROBI)
}
