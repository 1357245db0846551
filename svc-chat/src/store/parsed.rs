//! Text columns of a few values.

use std::{error::Error, str::FromStr};

use sqlx::{
    Decode, Postgres, Type,
    error::BoxDynError,
    postgres::{PgTypeInfo, PgValueRef},
};

/// A text that is read as one of the values of `T`, without a string of its own. An error for a
/// value that only a newer replica knows.
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
