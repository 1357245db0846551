//! The outcome of a callback.

use std::time::Duration;

use sqlx::PgConnection;

use crate::{
    error::Error,
    store::{self, callback::StoredCallback},
};

/// The outcome of a callback that was applied.
pub(super) const APPLIED: &str = "applied";

/// What a provider's module decides about a callback.
pub(super) enum Outcome {
    /// The callback is closed with this outcome ([`close`]).
    Closed(&'static str),
    /// The callback is applied again after this pause.
    Later(Duration),
}

/// Stores the outcome of a callback, in the transaction that applied it.
pub(super) async fn close(
    conn: &mut PgConnection,
    stored: &StoredCallback,
    outcome: &str,
) -> Result<(), Error> {
    Ok(store::callback::close(conn, stored.id, outcome).await?)
}
