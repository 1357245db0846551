//! What the fields of several messages have in common.

use prost_types::Timestamp;
use time::OffsetDateTime;

/// Services always send the time.
pub(super) fn time_of(timestamp: Option<Timestamp>) -> OffsetDateTime {
    proto::from_timestamp(timestamp, "time").unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

pub(super) fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
