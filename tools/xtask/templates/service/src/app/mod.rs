//! Verbs: one file a use case. Each owns its transaction.

mod get_{{noun}};
mod list_{{nouns}};

use sqlx::PgPool;

pub use get_{{noun}}::get_{{noun}};
pub use list_{{nouns}}::list_{{nouns}};

/// What use cases work with.
#[derive(Clone)]
pub struct Cx {
    /// The service's database.
    pub pool: PgPool,
}
