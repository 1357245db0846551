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

/// Returns the time of the day and the date as players read them: `16:30` and `28/11`.
pub fn time_and_date(at: OffsetDateTime) -> (String, String) {
    let at = at.to_offset(NAIROBI);
    (at.format(TIME).unwrap_or_default(), at.format(DATE).unwrap_or_default())
}
