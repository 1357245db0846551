//! Use cases, one a file. Each owns its transaction.

mod apply_content;
mod count_unread;
mod list_contact_settings;
mod list_notifications;
mod list_rooms;
mod mark_read;
mod notifications_changed;
mod notify;
mod sweep;
mod watch_notifications;

use std::{ops::Deref, sync::Arc, time::Duration};

use mesh::{
    Shutdown,
    db::{Pool, Pools},
    pubsub::PubSub,
};
use types::{Clock, Rng};

pub(crate) use apply_content::{
    Application, Content, ContentRef, apply_chat_room, apply_contact_setting, delete_content,
    list_content,
};
pub(crate) use count_unread::count_unread;
pub(crate) use list_contact_settings::list_contact_settings;
pub(crate) use list_notifications::list_notifications;
pub(crate) use list_rooms::list_rooms;
pub(crate) use mark_read::mark_read;
pub(crate) use notifications_changed::NOTIFICATION_CHANNELS;
pub(crate) use notify::notify;
pub(crate) use sweep::sweep;
pub(crate) use watch_notifications::watch_notifications;

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    /// The pool for calls, or for jobs ([`Cx::for_jobs`]).
    pub(crate) db: Pool,
    jobs_db: Pool,
    inner: Arc<Inner>,
}

/// The parts of a [`Cx`] that calls and jobs share.
pub(crate) struct Inner {
    pub(crate) clock: Clock,
    pub(crate) rng: Rng,
    pub(crate) shutdown: Shutdown,
    /// Publishes that notifications changed to watchers.
    pub(crate) pubsub: PubSub,
    /// How long a notification is kept.
    pub(crate) notification_retention: Duration,
}

impl Cx {
    /// The context of calls.
    pub(crate) fn new(pools: &Pools, inner: Inner) -> Self {
        Self { db: pools.calls.clone(), jobs_db: pools.jobs.clone(), inner: Arc::new(inner) }
    }

    /// The same with the pool for jobs.
    pub(crate) fn for_jobs(&self) -> Self {
        Self { db: self.jobs_db.clone(), ..self.clone() }
    }
}

impl Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}
