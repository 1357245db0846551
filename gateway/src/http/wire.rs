//! The JSON of values: money as exact numbers, times to the millisecond.

use std::borrow::Cow;

use proto::{Absent, types::v1 as wire};
use serde::{Serialize, Serializer, ser::Error};
use serde_json::value::RawValue;
use time::{OffsetDateTime, UtcOffset};
use types::Money;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        schema::{KnownFormat, SchemaFormat, Type},
    },
};

use crate::openapi::schema::{Payload, Schemas};

/// An amount of KES as a JSON number with at most two decimals, written from its
/// cents and never through a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kes(pub(crate) Money);

impl Kes {
    /// An amount that the contract promises.
    pub(crate) fn promised(field: Option<wire::Money>, name: &'static str) -> Result<Self, Absent> {
        proto::money(field, name).map(Self)
    }

    /// An amount, or `None` if it is absent.
    pub(crate) fn optional(field: Option<wire::Money>) -> Option<Self> {
        field.map(|money| Self(money.into()))
    }
}

impl Serialize for Kes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        document(self.0.to_json_literal())?.serialize(serializer)
    }
}

impl ToSchema for Kes {}

/// A payload that is an amount alone.
impl Payload for Kes {
    fn describe(_: &mut Schemas) -> RefOr<Schema> {
        Self::schema()
    }
}

impl PartialSchema for Kes {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .multiple_of(Some(0.01))
            .description(Some("An amount in KES."))
            .into()
    }
}

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At(OffsetDateTime);

impl At {
    /// A time that the contract promises.
    pub(crate) fn promised(
        field: Option<prost_types::Timestamp>,
        name: &'static str,
    ) -> Result<Self, Absent> {
        proto::from_timestamp(field, name).map(Self)
    }

    /// A time, or `None` if it is absent.
    pub(crate) fn optional(
        field: Option<prost_types::Timestamp>,
        name: &'static str,
    ) -> Result<Option<Self>, Absent> {
        field.map(|at| Self::promised(Some(at), name)).transpose()
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = rfc3339_millis(self.0).map_err(S::Error::custom)?;
        serializer.serialize_str(std::str::from_utf8(&text).map_err(S::Error::custom)?)
    }
}

/// Formats a time as RFC 3339 in UTC with milliseconds. It is written by hand, without an
/// allocation, because a page of messages has a hundred times.
fn rfc3339_millis(at: OffsetDateTime) -> Result<[u8; 24], std::num::TryFromIntError> {
    let utc = at.to_offset(UtcOffset::UTC);
    let mut text = *b"0000-00-00T00:00:00.000Z";
    let mut put = |end: usize, digits: usize, number: u32| {
        let mut rest = number;
        for digit in text[end - digits..end].iter_mut().rev() {
            *digit = b"0123456789"[rest as usize % 10];
            rest /= 10;
        }
    };
    // The years of a `time` without the feature `large-dates` have four digits.
    put(4, 4, u32::try_from(utc.year())?);
    put(7, 2, u8::from(utc.month()).into());
    put(10, 2, utc.day().into());
    put(13, 2, utc.hour().into());
    put(16, 2, utc.minute().into());
    put(19, 2, utc.second().into());
    put(23, 3, utc.millisecond().into());
    Ok(text)
}

impl ToSchema for At {
    fn name() -> Cow<'static, str> {
        "Time".into()
    }
}

impl PartialSchema for At {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("A time in UTC with milliseconds."))
            .into()
    }
}

/// A JSON document of a service, passed on unchanged.
pub(crate) fn document<E: Error>(json: String) -> Result<Box<RawValue>, E> {
    RawValue::from_string(json).map_err(E::custom)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn money_is_a_number_from_its_cents() {
        for (cents, json) in [
            (0, "0"),
            (25_000, "250"),
            (1_250, "12.5"),
            (1_255, "12.55"),
            (-7, "-0.07"),
            (i64::MAX, "92233720368547758.07"),
        ] {
            let money = Kes(Money::from_cents(cents));
            assert_eq!(serde_json::to_string(&money).unwrap(), json);
        }
    }

    #[test]
    fn times_are_utc_to_the_millisecond() {
        for (at, json) in [
            (datetime!(2026-11-20 09:00 UTC), "2026-11-20T09:00:00.000Z"),
            (datetime!(2026-11-20 12:00:00.123456 +3), "2026-11-20T09:00:00.123Z"),
            (datetime!(0999-01-02 03:04:05.006 UTC), "0999-01-02T03:04:05.006Z"),
            (datetime!(9999-12-31 23:59:59.999999999 UTC), "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(serde_json::to_value(At(at)).unwrap(), json);
        }
    }
}
