//! Use cases, one a file. Each owns its transaction.

mod announce_{{noun}};
mod batch_get_{{nouns}};
mod create_{{noun}};
mod expire_{{nouns}};
mod find_{{noun}};
mod get_{{noun}};
mod list_{{nouns}};
mod sweep;

use std::{ops::Deref, sync::Arc, time::Duration};

use mesh::{
    Base,
    db::{Pool, Pools},
    outbox::OutboxNotifier,
};
use types::{Clock, Rng};

pub(crate) use announce_{{noun}}::announce_{{noun}};
pub(crate) use batch_get_{{nouns}}::batch_get_{{nouns}};
pub(crate) use create_{{noun}}::{CREATED_TOPIC, Created, create_{{noun}}};
pub(crate) use expire_{{nouns}}::expire_{{nouns}};
pub(crate) use find_{{noun}}::find_{{noun}};
pub(crate) use get_{{noun}}::get_{{noun}};
pub(crate) use list_{{nouns}}::list_{{nouns}};
pub(crate) use sweep::sweep;

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    pub(crate) db: Pool,
    inner: Arc<Inner>,
}

/// The parts of a [`Cx`] that calls and jobs share.
pub(crate) struct Inner {
    pub(crate) clock: Clock,
    pub(crate) rng: Rng,
    /// Wakes the relay after a commit.
    pub(crate) outbox: OutboxNotifier,
    /// How long {{a_noun_words}} is valid after its creation.
    pub(crate) lifetime: Duration,
    job_pool: Pool,
}

impl Cx {
    pub(crate) fn new(base: &Base, pools: &Pools, lifetime: Duration) -> Self {
        let inner = Inner {
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            outbox: OutboxNotifier::default(),
            lifetime,
            job_pool: pools.jobs.clone(),
        };
        Self { db: pools.calls.clone(), inner: Arc::new(inner) }
    }

    /// The same, with the pool for jobs and outbox deliveries.
    pub(crate) fn for_jobs(&self) -> Self {
        Self { db: self.job_pool.clone(), inner: Arc::clone(&self.inner) }
    }
}

impl Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}
