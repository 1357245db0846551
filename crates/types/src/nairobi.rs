//! Kenya's time, in which players read times and in which days begin.

use time::{
    OffsetDateTime, UtcOffset,
    format_description::StaticFormatDescription,
    macros::{format_description, offset},
};

/// Kenya's time all year.
pub const NAIROBI: UtcOffset = offset!(+3);

const TIME: StaticFormatDescription = format_description!("[hour]:[minute]");
const DATE: StaticFormatDescription = format_description!("[day]/[month]");
const FULL_DATE: StaticFormatDescription = format_description!("[day]/[month]/[year]");

/// Returns the time of the day and the date as players read them: `16:30` and `28/11`.
pub fn time_and_date(at: OffsetDateTime) -> (String, String) {
    let at = at.to_offset(NAIROBI);
    (at.format(TIME).unwrap_or_default(), at.format(DATE).unwrap_or_default())
}

/// Returns the date as players read it when it may be in another year: `28/11/2026`.
pub fn full_date(at: OffsetDateTime) -> String {
    at.to_offset(NAIROBI).format(FULL_DATE).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn times_and_dates_are_those_of_nairobi() {
        let late = datetime!(2026-12-31 22:05 UTC);
        assert_eq!(time_and_date(late), ("01:05".to_owned(), "01/01".to_owned()));
        assert_eq!(full_date(late), "01/01/2027");
    }
}
