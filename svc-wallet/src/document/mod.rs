//! Statements as documents: CSV for programs, PDF for people.

mod csv;
mod font;
mod pdf;

pub(crate) use csv::csv;
pub(crate) use pdf::pdf;

use std::borrow::Cow;

use mesh::texts;
use time::{Date, OffsetDateTime};
use types::{Money, NAIROBI};

use crate::domain::Statement;

/// Formats an amount without the currency: `1,250.00`.
fn figure(money: Money) -> String {
    money.to_string().trim_start_matches("KES ").to_owned()
}

/// Formats a date: `22/11/2026`.
fn day(date: Date) -> String {
    format!("{:02}/{:02}/{}", date.day(), u8::from(date.month()), date.year())
}

impl Statement {
    fn say(&self, key: &str) -> Cow<'static, str> {
        self.say_with(key, [])
    }

    fn say_with<const N: usize>(&self, key: &str, params: [(&str, &str); N]) -> Cow<'static, str> {
        texts::text(key, params, self.language).unwrap_or_default()
    }

    /// The days, as a text with the key `key`.
    fn say_days(&self, key: &str) -> Cow<'static, str> {
        self.say_with(key, [("from", &day(self.days.from)), ("to", &day(self.days.to))])
    }
}

/// Converts a time to Nairobi's.
fn local(at: OffsetDateTime) -> OffsetDateTime {
    at.to_offset(NAIROBI)
}
