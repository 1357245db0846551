//! Use cases, one a file. Each owns its transaction.

mod get_game;
mod list_games;

use mesh::db::{Pool, Pools};

pub(crate) use get_game::get_game;
pub(crate) use list_games::list_games;

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    pub(crate) db: Pool,
}

impl Cx {
    pub(crate) fn new(pools: &Pools) -> Self {
        Self { db: pools.calls.clone() }
    }
}
