//! Verbs: one file a use case. Each owns its transaction.

mod get_game;
mod list_games;

use sqlx::PgPool;

pub use get_game::get_game;
pub use list_games::list_games;

/// What use cases work with.
#[derive(Clone)]
pub struct Cx {
    /// The service's database.
    pub pool: PgPool,
}
