//! The JSON of values: money as exact numbers, times to the millisecond.

use std::borrow::Cow;

use proto::{Absent, types::v1 as wire};
use serde::{Serialize, Serializer, ser::Error};
use serde_json::value::RawValue;
use time::{
    OffsetDateTime, UtcOffset, format_description::BorrowedFormatItem, macros::format_description,
};
use types::Money;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        schema::{KnownFormat, SchemaFormat, Type},
    },
};

use crate::openapi::schema::{Payload, Schemas};

/// RFC 3339 in UTC with milliseconds.
const TIME: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

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
        let utc = self.0.to_offset(UtcOffset::UTC);
        serializer.serialize_str(&utc.format(TIME).map_err(S::Error::custom)?)
    }
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
        ] {
            assert_eq!(serde_json::to_value(At(at)).unwrap(), json);
        }
    }
}
