//! The outside world's own clock, and the ways M-Pesa writes a time.

use time::format_description::BorrowedFormatItem;
use time::macros::{format_description, offset};
use time::{Date, OffsetDateTime, PrimitiveDateTime, UtcOffset};

/// East Africa Time, in which Daraja reads and writes every time.
pub(crate) const EAST_AFRICA: UtcOffset = offset!(+3);

/// `YYYYMMDDHHmmss`, the form of `Timestamp` and `TransactionDate`.
const COMPACT: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day][hour][minute][second]");

/// The form in which a confirmation SMS names the moment.
const SPOKEN: &[BorrowedFormatItem<'_>] = format_description!(
    "[day padding:none]/[month padding:none]/[year repr:last_two] at [hour repr:12 padding:none]:[minute] [period]"
);

/// The moment of `CheckoutRequestID`s.
const CHECKOUT: &[BorrowedFormatItem<'_>] =
    format_description!("[day][month][year][hour][minute][second][subsecond digits:3]");

/// Now in UTC, to the millisecond: what is kept reads back as it was written.
#[expect(clippy::disallowed_methods, reason = "the outside world has its own clock")]
pub(crate) fn now() -> OffsetDateTime {
    let now = OffsetDateTime::now_utc();
    now.replace_millisecond(now.millisecond()).unwrap_or(now)
}

/// The day in Kenya, to which daily limits belong.
pub(crate) fn day_in_kenya(at: OffsetDateTime) -> Date {
    at.to_offset(EAST_AFRICA).date()
}

/// `YYYYMMDDHHmmss` in East Africa Time.
pub(crate) fn compact(at: OffsetDateTime) -> String {
    written(at, COMPACT)
}

/// As in `20/11/26 at 11:40 PM`.
pub(crate) fn spoken(at: OffsetDateTime) -> String {
    written(at, SPOKEN)
}

/// The time part of a `CheckoutRequestID`.
pub(crate) fn checkout_stamp(at: OffsetDateTime) -> String {
    written(at, CHECKOUT)
}

/// Reads `YYYYMMDDHHmmss` as East Africa Time.
pub(crate) fn parse_compact(text: &str) -> Option<OffsetDateTime> {
    if text.len() != 14 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let local = PrimitiveDateTime::parse(text, COMPACT).ok()?;
    Some(local.assume_offset(EAST_AFRICA))
}

fn written(at: OffsetDateTime, form: &[BorrowedFormatItem<'_>]) -> String {
    // Every component of these forms exists for every moment, so formatting
    // has nothing to refuse.
    at.to_offset(EAST_AFRICA).format(form).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn writes_the_forms_of_m_pesa_in_east_africa_time() {
        let at = datetime!(2026-11-20 21:05:09.042 UTC);
        assert_eq!(compact(at), "20261121000509");
        assert_eq!(spoken(at), "21/11/26 at 12:05 AM");
        assert_eq!(checkout_stamp(at), "21112026000509042");
        assert_eq!(day_in_kenya(at), time::macros::date!(2026 - 11 - 21));
    }

    #[test]
    fn reads_only_fourteen_digits_that_are_a_time() {
        assert_eq!(parse_compact("20261121000509"), Some(datetime!(2026-11-20 21:05:09 UTC)));
        for bad in ["2026112100050", "20261321000509", "2026-11-21 00:0", "20261121250509", ""] {
            assert_eq!(parse_compact(bad), None, "{bad}");
        }
    }
}
