//! SQL, one file for each group of tables. Functions take a connection; the use case owns the
//! transaction.

pub(crate) mod best_run;
pub(crate) mod content;
pub(crate) mod event;
pub(crate) mod game;
pub(crate) mod recent_game;
pub(crate) mod rules;
pub(crate) mod session;
pub(crate) mod tv_item;

/// A value that the database holds and the domain refuses is a fault of ours.
fn decoded<T, E>(value: Result<T, E>) -> sqlx::Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    value.map_err(|error| sqlx::Error::Decode(error.into()))
}
