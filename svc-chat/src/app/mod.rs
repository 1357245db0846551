//! Verbs: one file a use case. Each owns its transaction.

mod list_rooms;

use sqlx::PgPool;

pub use list_rooms::list_rooms;

/// What use cases work with.
#[derive(Clone)]
pub struct Cx {
    /// The service's database.
    pub pool: PgPool,
}
