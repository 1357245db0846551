//! Between the wire's words and the house's.

use ::types::Money;
use time::OffsetDateTime;

use crate::types::v1 as wire;

/// A message that the contract says is always there, and is not.
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

/// An amount that must be there.
pub fn money(field: Option<wire::Money>, name: &'static str) -> Result<Money, Absent> {
    field.map(Money::from).ok_or(Absent(name))
}

/// A time as the wire has it, to the nanosecond.
pub fn timestamp(at: OffsetDateTime) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: at.unix_timestamp(),
        nanos: i32::try_from(at.nanosecond()).unwrap_or(0),
    }
}

/// A time that must be there and within the calendar.
pub fn from_timestamp(
    at: Option<prost_types::Timestamp>,
    name: &'static str,
) -> Result<OffsetDateTime, Absent> {
    let at = at.ok_or(Absent(name))?;
    let nanos = i128::from(at.seconds) * 1_000_000_000 + i128::from(at.nanos);
    OffsetDateTime::from_unix_timestamp_nanos(nanos).map_err(|_| Absent(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_survives_the_wire() {
        let at = OffsetDateTime::from_unix_timestamp_nanos(1_700_000_000_123_456_000).unwrap();
        assert_eq!(from_timestamp(Some(timestamp(at)), "at"), Ok(at));
    }

    #[test]
    fn what_is_not_there_is_named() {
        assert_eq!(money(None, "amount"), Err(Absent("amount")));
        assert_eq!(from_timestamp(None, "starts"), Err(Absent("starts")));
    }
}
