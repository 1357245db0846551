//! The sandbox's clock, and M-Pesa's formats of a time.

use time::format_description::BorrowedFormatItem;
use time::macros::{format_description, offset};
use time::{Date, OffsetDateTime, PrimitiveDateTime, UtcOffset};

/// East Africa Time, in which Daraja reads and writes every time.
pub(crate) const EAST_AFRICA: UtcOffset = offset!(+3);

/// `YYYYMMDDHHmmss`, the format of `Timestamp` and `TransactionDate`.
const COMPACT: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day][hour][minute][second]");

/// The format in a confirmation SMS.
const SMS: &[BorrowedFormatItem<'_>] = format_description!(
    "[day padding:none]/[month padding:none]/[year repr:last_two] at [hour repr:12 padding:none]:[minute] [period]"
);

/// `2024-07-06 22:48:52`, in a request for payments received.
const DASHED: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour padding:none]:[minute]:[second]");

/// `2024-07-06T22:48:52.000Z`, in UTC.
const ZONED: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

/// `06.07.2024 22:48:52`, in the result of a payout.
const DOTTED: &[BorrowedFormatItem<'_>] =
    format_description!("[day].[month].[year] [hour]:[minute]:[second]");

/// The time part of a `CheckoutRequestID`.
const CHECKOUT: &[BorrowedFormatItem<'_>] =
    format_description!("[day][month][year][hour][minute][second][subsecond digits:3]");

/// Now in UTC, in whole milliseconds, so that a stored time reads back unchanged.
#[expect(clippy::disallowed_methods, reason = "providers have a clock of their own")]
pub(crate) fn now() -> OffsetDateTime {
    let now = OffsetDateTime::now_utc();
    now.replace_millisecond(now.millisecond()).unwrap_or(now)
}

/// The day in Kenya, by which daily limits are counted.
pub(crate) fn day_in_kenya(at: OffsetDateTime) -> Date {
    at.to_offset(EAST_AFRICA).date()
}

/// `YYYYMMDDHHmmss` in East Africa Time.
pub(crate) fn compact(at: OffsetDateTime) -> String {
    format(at, COMPACT)
}

/// Formats a time as in `20/11/26 at 11:40 PM`, in East Africa Time.
pub(crate) fn in_sms(at: OffsetDateTime) -> String {
    format(at, SMS)
}

/// Formats a time as in `06.07.2024 22:48:52`, in East Africa Time.
pub(crate) fn dotted(at: OffsetDateTime) -> String {
    format(at, DOTTED)
}

/// `DDMMYYYYHHmmssSSS` in East Africa Time.
pub(crate) fn checkout_stamp(at: OffsetDateTime) -> String {
    format(at, CHECKOUT)
}

/// Formats a time as in `2024-07-06T22:48:52.000Z`.
pub(crate) fn zoned(at: OffsetDateTime) -> String {
    at.to_offset(UtcOffset::UTC).format(ZONED).unwrap_or_default()
}

/// Parses `2024-07-06 22:48:52` as East Africa Time.
pub(crate) fn parse_dashed(text: &str) -> Option<OffsetDateTime> {
    Some(PrimitiveDateTime::parse(text, DASHED).ok()?.assume_offset(EAST_AFRICA))
}

/// Parses `YYYYMMDDHHmmss` as East Africa Time.
pub(crate) fn parse_compact(text: &str) -> Option<OffsetDateTime> {
    if text.len() != 14 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let local = PrimitiveDateTime::parse(text, COMPACT).ok()?;
    Some(local.assume_offset(EAST_AFRICA))
}

fn format(at: OffsetDateTime, items: &[BorrowedFormatItem<'_>]) -> String {
    // Cannot fail: an `OffsetDateTime` has every component of these formats.
    at.to_offset(EAST_AFRICA).format(items).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn formats_times_in_east_africa_time() {
        let at = datetime!(2026-11-20 21:05:09.042 UTC);
        assert_eq!(compact(at), "20261121000509");
        assert_eq!(in_sms(at), "21/11/26 at 12:05 AM");
        assert_eq!(checkout_stamp(at), "21112026000509042");
        assert_eq!(day_in_kenya(at), time::macros::date!(2026 - 11 - 21));
    }

    #[test]
    fn parses_only_fourteen_digits_that_are_a_valid_time() {
        assert_eq!(parse_compact("20261121000509"), Some(datetime!(2026-11-20 21:05:09 UTC)));
        for bad in ["2026112100050", "20261321000509", "2026-11-21 00:0", "20261121250509", ""] {
            assert_eq!(parse_compact(bad), None, "{bad}");
        }
    }
}
