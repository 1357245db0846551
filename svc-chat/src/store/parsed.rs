//! Text columns that hold one of a few values.

use std::{error::Error, str::FromStr};

use sqlx::{
    Decode, Postgres, Type,
    error::BoxDynError,
    postgres::{PgTypeInfo, PgValueRef},
};

/// A text column that is parsed as a `T`, without allocating a string. A value that only a newer
/// replica knows is an error.
#[derive(Debug)]
pub(super) struct Parsed<T>(pub(super) T);

impl<T> Type<Postgres> for Parsed<T> {
    fn type_info() -> PgTypeInfo {
        <str as Type<Postgres>>::type_info()
    }
}

impl<'r, T> Decode<'r, Postgres> for Parsed<T>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(value.as_str()?.parse()?))
    }
}
