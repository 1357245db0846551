//! Use cases, one a file. Each owns its transaction.

mod list_rooms;

use mesh::db::{Pool, Pools};

pub(crate) use list_rooms::list_rooms;

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
