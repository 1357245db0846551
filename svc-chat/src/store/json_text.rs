//! Reads JSON columns as text, to pass the JSON on as it is stored.

use sqlx::{
    Decode, Postgres, Type,
    error::BoxDynError,
    postgres::{PgTypeInfo, PgValueRef},
};

/// The text of a column of type `json`, which is not parsed. PostgreSQL sends it as a text.
#[derive(Debug)]
pub(super) struct JsonText(pub(super) String);

impl Type<Postgres> for JsonText {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("json")
    }
}

impl Decode<'_, Postgres> for JsonText {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(value.as_str()?.to_owned()))
    }
}
