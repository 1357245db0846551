//! Conversions between protobuf messages and the types of [`types`] and `time`.

use ::types::{Change, Money, Role, Text};
use time::OffsetDateTime;

use crate::types::v1 as wire;

/// A required message field is missing or out of range; holds the field's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absent(pub &'static str);

impl From<Money> for wire::Money {
    fn from(money: Money) -> Self {
        Self { cents: money.cents() }
    }
}

impl From<wire::Money> for Money {
    fn from(money: wire::Money) -> Self {
        Self::from_cents(money.cents)
    }
}

impl From<Change> for wire::Change {
    fn from(change: Change) -> Self {
        match change {
            Change::Created => Self::Created,
            Change::Updated => Self::Updated,
            Change::Unchanged => Self::Unchanged,
            Change::Deleted => Self::Deleted,
            Change::Confirmed => Self::Confirmed,
        }
    }
}

impl From<Role> for wire::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Content => Self::Content,
            Role::Support => Self::Support,
            Role::Finance => Self::Finance,
            Role::FairPlay => Self::FairPlay,
            Role::Platform => Self::Platform,
        }
    }
}

impl TryFrom<wire::Role> for Role {
    type Error = Absent;

    fn try_from(role: wire::Role) -> Result<Self, Absent> {
        match role {
            wire::Role::Unspecified => Err(Absent("role")),
            wire::Role::Content => Ok(Self::Content),
            wire::Role::Support => Ok(Self::Support),
            wire::Role::Finance => Ok(Self::Finance),
            wire::Role::FairPlay => Ok(Self::FairPlay),
            wire::Role::Platform => Ok(Self::Platform),
        }
    }
}

impl From<Text> for wire::Text {
    fn from(Text { key, params }: Text) -> Self {
        let params = params.into_iter().map(|(name, value)| (name.into_owned(), value));
        Self { key: key.into_owned(), params: params.collect() }
    }
}

/// Reads a required amount.
///
/// # Errors
/// [`Absent`] when the field is not set.
pub fn money(field: Option<wire::Money>, name: &'static str) -> Result<Money, Absent> {
    field.map(Money::from).ok_or(Absent(name))
}

/// A time as a protobuf timestamp, exact to the nanosecond.
pub fn timestamp(at: OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: at.unix_timestamp(),
        nanos: i32::try_from(at.nanosecond()).unwrap_or(0),
    }
}

/// Reads a required timestamp.
///
/// # Errors
/// [`Absent`] when the field is not set or is out of `time`'s range.
pub fn from_timestamp(
    at: Option<prost_types::Timestamp>,
    name: &'static str,
) -> Result<OffsetDateTime, Absent> {
    let at = at.ok_or(Absent(name))?;
    let second = OffsetDateTime::from_unix_timestamp(at.seconds).ok();
    let nanos = u32::try_from(at.nanos).ok();
    second.zip(nanos).and_then(|(at, nanos)| at.replace_nanosecond(nanos).ok()).ok_or(Absent(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_round_trips() {
        let at = OffsetDateTime::from_unix_timestamp_nanos(1_700_000_000_123_456_000).unwrap();
        assert_eq!(from_timestamp(Some(timestamp(at)), "at"), Ok(at));
    }

    #[test]
    fn a_missing_field_is_named_in_the_error() {
        assert_eq!(money(None, "amount"), Err(Absent("amount")));
        assert_eq!(from_timestamp(None, "starts"), Err(Absent("starts")));
    }
}
