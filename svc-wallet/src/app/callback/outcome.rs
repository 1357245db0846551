//! The outcome of a callback.

use std::time::Duration;

use sqlx::PgConnection;

use crate::{
    error::Error,
    store::{self, callback::StoredCallback},
};

/// The outcome of a callback that was applied.
pub(crate) const APPLIED: &str = "applied";

/// What `payin`, `payout` or `reversal` decides about a callback.
pub(crate) enum Outcome {
    /// The callback is closed with this outcome ([`close`]).
    Closed(&'static str),
    /// The callback is applied again after this pause.
    Later(Duration),
}

/// Stores the outcome of a callback, in the transaction that applied it.
pub(crate) async fn close(
    conn: &mut PgConnection,
    stored: &StoredCallback,
    outcome: &str,
) -> Result<(), Error> {
    Ok(store::callback::close(conn, stored.id, outcome).await?)
}
