//! Use cases, one a file. Each owns its transaction.

mod get_tournament;
mod list_tournaments;

use mesh::{
    Base,
    db::{Pool, Pools},
};
use types::Clock;

pub(crate) use get_tournament::get_tournament;
pub(crate) use list_tournaments::list_tournaments;

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    pub(crate) db: Pool,
    pub(crate) clock: Clock,
}

impl Cx {
    pub(crate) fn new(base: &Base, pools: &Pools) -> Self {
        Self { db: pools.calls.clone(), clock: base.clock.clone() }
    }
}
