//! Conversions of fields that several messages share.

use prost_types::Timestamp;
use time::OffsetDateTime;

/// Converts a time, which services always send.
pub(super) fn time_of(timestamp: Option<Timestamp>) -> OffsetDateTime {
    proto::from_timestamp(timestamp, "time").unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

pub(super) fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
