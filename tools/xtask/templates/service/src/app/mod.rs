//! Verbs: one file a use case. Each owns its transaction.

mod get_{{noun}};
mod list_{{nouns}};

use sqlx::PgPool;

pub(crate) use get_{{noun}}::get_{{noun}};
pub(crate) use list_{{nouns}}::list_{{nouns}};

/// What every use case works with.
pub(crate) struct Context {
    pub(crate) db: PgPool,
}
