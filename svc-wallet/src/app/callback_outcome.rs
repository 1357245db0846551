//! What becomes of a callback.

use std::time::Duration;

use sqlx::PgConnection;

use crate::{
    error::Error,
    store::{self, callback::StoredCallback},
};

/// The outcome of a callback that was applied.
pub(super) const APPLIED: &str = "applied";

/// What a provider's file made of a callback.
pub(super) enum Outcome {
    /// It is closed with this outcome ([`close`]).
    Closed(&'static str),
    /// It is to be applied later.
    Later(Duration),
}

/// Stores the outcome of a callback, in the transaction of what it changed.
pub(super) async fn close(
    conn: &mut PgConnection,
    stored: &StoredCallback,
    outcome: &str,
) -> Result<(), Error> {
    Ok(store::callback::close(conn, stored.id, outcome).await?)
}
