//! Verbs: one file a use case. Each owns its transaction.

mod get_tournament;
mod list_tournaments;

use sqlx::PgPool;
use types::Clock;

pub use get_tournament::get_tournament;
pub use list_tournaments::list_tournaments;

/// What use cases work with.
#[derive(Clone)]
pub struct Cx {
    /// The service's database.
    pub pool: PgPool,
    /// The time.
    pub clock: Clock,
}
