//! What all callbacks have in common: the secret in their path, their row in `callback_inbox`, the
//! outbox row that applies them, and their outcome.

pub(super) mod secret;

use std::time::Duration;

use metrics::counter;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::{Error, Refused},
    store::{self, callback::StoredCallback},
};

/// Most contents per secret: a provider sends one or two, and repeats them unchanged.
const BODIES_MAX: i64 = 20;

/// The payload of an outbox row about a callback.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CallbackRef {
    pub(crate) callback: Uuid,
}

/// The outcome of a callback that was applied.
pub(crate) const APPLIED: &str = "applied";

/// What `payin`, `payout`, `reversal` or `compare_balance` decides about a callback.
pub(crate) enum CallbackOutcome {
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

/// Refuses a content that was just inserted if its secret has more than [`BODIES_MAX`]. The
/// caller's transaction must roll back then.
pub(crate) async fn check_count(conn: &mut PgConnection, secret_hash: &[u8]) -> Result<(), Error> {
    if store::callback::count(conn, secret_hash).await? > BODIES_MAX {
        counter!("callbacks_refused_total", "reason" => "too_many").increment(1);
        return Err(Refused::TooManyCallbacks.into());
    }
    Ok(())
}
