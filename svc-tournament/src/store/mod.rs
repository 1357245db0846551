//! SQL, one file for each group of tables. Functions take a connection; the use case owns the
//! transaction.

pub(crate) mod award;
pub(crate) mod content;
pub(crate) mod fame;
pub(crate) mod final_standing;
pub(crate) mod given_award;
pub(crate) mod player_data;
pub(crate) mod screening;
pub(crate) mod settlement;
pub(crate) mod standing;
pub(crate) mod start_notice;
pub(crate) mod tournament;

/// Maps a value of the database that the domain refuses to a decoding error, because it is a fault
/// of this service.
fn decoded<T, E>(value: Result<T, E>) -> sqlx::Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    value.map_err(|error| sqlx::Error::Decode(error.into()))
}
