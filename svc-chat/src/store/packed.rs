//! Columns of a page's rows, each as one value: arrays of them cost PostgreSQL and sqlx more
//! (docs/decisions/0061-pages-read-together.md).

use std::{error::Error, str::FromStr};

use sqlx::{
    Decode, Postgres, Type,
    error::BoxDynError,
    postgres::{PgTypeInfo, PgValueRef},
    types::Uuid,
};
use time::{Duration, OffsetDateTime, macros::datetime};

/// Values of one width, one after the other, as PostgreSQL sends them:
/// `string_agg(uuid_send(id), '')`.
#[derive(Debug)]
pub(super) struct Packed<T>(pub(super) Vec<T>);

/// What PostgreSQL sends as a fixed number of bytes.
pub(super) trait FixedWidth: Sized {
    const BYTES: usize;

    fn from_sent(bytes: &[u8]) -> Result<Self, BoxDynError>;
}

impl FixedWidth for i64 {
    const BYTES: usize = 8;

    fn from_sent(bytes: &[u8]) -> Result<Self, BoxDynError> {
        Ok(Self::from_be_bytes(bytes.try_into()?))
    }
}

impl FixedWidth for Uuid {
    const BYTES: usize = 16;

    fn from_sent(bytes: &[u8]) -> Result<Self, BoxDynError> {
        Ok(Self::from_slice(bytes)?)
    }
}

impl FixedWidth for OffsetDateTime {
    const BYTES: usize = 8;

    /// PostgreSQL counts microseconds from the year 2000.
    fn from_sent(bytes: &[u8]) -> Result<Self, BoxDynError> {
        let since = Duration::microseconds(i64::from_sent(bytes)?);
        Ok(datetime!(2000-01-01 0:00 UTC).checked_add(since).ok_or("a time out of range")?)
    }
}

impl<T> Type<Postgres> for Packed<T> {
    fn type_info() -> PgTypeInfo {
        <[u8] as Type<Postgres>>::type_info()
    }
}

impl<T: FixedWidth> Decode<'_, Postgres> for Packed<T> {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let bytes = <&[u8] as Decode<Postgres>>::decode(value)?;
        let mut values = Vec::with_capacity(bytes.len() / T::BYTES);
        for value in bytes.chunks(T::BYTES) {
            values.push(T::from_sent(value)?);
        }
        Ok(Self(values))
    }
}

/// Values of a few words, with commas between them: `string_agg(chat_type, ',')`. An error for a
/// value that only a newer replica knows.
#[derive(Debug)]
pub(super) struct Listed<T>(pub(super) Vec<T>);

impl<T> Type<Postgres> for Listed<T> {
    fn type_info() -> PgTypeInfo {
        <str as Type<Postgres>>::type_info()
    }
}

impl<T> Decode<'_, Postgres> for Listed<T>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let mut values = Vec::new();
        for word in value.as_str()?.split(',') {
            values.push(word.parse()?);
        }
        Ok(Self(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_postgresql_sends_them() {
        assert_eq!(i64::from_sent(&[255, 255, 255, 255, 255, 255, 255, 254]).unwrap(), -2);
        let id = Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
        assert_eq!(Uuid::from_sent(id.as_bytes()).unwrap(), id);
        for (microseconds, time) in [
            (849_009_600_123_456_i64, datetime!(2026-11-26 12:00:00.123456 UTC)),
            (-1, datetime!(1999-12-31 23:59:59.999999 UTC)),
        ] {
            let sent = microseconds.to_be_bytes();
            assert_eq!(OffsetDateTime::from_sent(&sent).unwrap(), time);
        }
    }

    #[test]
    fn what_is_no_value_is_an_error() {
        assert!(i64::from_sent(&[0; 7]).is_err(), "cut off");
        assert!(OffsetDateTime::from_sent(&i64::MAX.to_be_bytes()).is_err(), "infinity");
    }
}
