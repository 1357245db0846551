//! Daraja's timestamps: `YYYYMMDDHHmmss` in East Africa Time (UTC+3, all year).

use time::{
    OffsetDateTime, PrimitiveDateTime, UtcOffset, format_description::StaticFormatDescription,
    macros::format_description,
};
use types::NAIROBI;

const FORMAT: StaticFormatDescription =
    format_description!("[year][month][day][hour][minute][second]");

/// The format of times in the results of payouts.
const DOTTED: StaticFormatDescription =
    format_description!("[day].[month].[year] [hour]:[minute]:[second]");

/// Formats a time as a timestamp.
pub(super) fn format(at: OffsetDateTime) -> String {
    at.to_offset(NAIROBI).format(FORMAT).unwrap_or_default()
}

/// Parses a timestamp.
pub(super) fn parse(text: &str) -> Option<OffsetDateTime> {
    parse_as(text, FORMAT)
}

/// Parses the time of a payout's result: `06.07.2024 22:48:52`.
pub(super) fn parse_dotted(text: &str) -> Option<OffsetDateTime> {
    parse_as(text, DOTTED)
}

fn parse_as(text: &str, format: StaticFormatDescription) -> Option<OffsetDateTime> {
    let local = PrimitiveDateTime::parse(text, format).ok()?;
    Some(local.assume_offset(NAIROBI).to_offset(UtcOffset::UTC))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn timestamps_are_in_east_africa_time_whatever_the_host_uses() {
        let at = datetime!(2026-11-20 22:30:05 UTC);
        assert_eq!(format(at), "20261121013005");
        assert_eq!(parse("20261121013005"), Some(at));
    }
}
