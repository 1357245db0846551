//! What the wallet can do, a use case a file. Each owns its transaction.

mod apply_callback;
mod apply_content;
mod boost;
mod callback_secret;
mod expire;
mod notify;
mod pay_award;
mod payment_changed;
mod push;
mod read;
mod reconcile;
mod repeated;
mod settle;
mod store_callback;
mod sweep;
mod top_up;
mod watch;

use std::{ops::Deref, sync::Arc, time::Duration};

use mesh::{
    Shutdown,
    db::{Pool, Pools},
    outbox::OutboxNotifier,
    pubsub::PubSub,
};
use types::{Clock, Money, Rng};

use crate::{
    clients::{daraja::Daraja, notifications::Notifications, players::Players},
    domain::PromptRateLimit,
};

pub(crate) use apply_callback::{CALLBACK_TOPIC, CallbackRef, apply_callback};
pub(crate) use apply_content::{
    Application, Content, apply_method, apply_package, delete_package, list_content,
};
pub(crate) use expire::expire;
pub(crate) use notify::{Credited, NOTIFY_TOPIC, notify};
pub(crate) use pay_award::pay_award;
pub(crate) use payment_changed::PAYMENT_CHANNELS;
pub(crate) use push::{PUSH_TOPIC, PaymentRef, push};
pub(crate) use read::{balance, history, methods, payment};
pub(crate) use reconcile::reconcile;
pub(crate) use store_callback::{NewCallback, store_callback};
pub(crate) use sweep::sweep;
pub(crate) use top_up::{TopUp, top_up};
pub(crate) use watch::watch;

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
    /// Publishes changes of payments to watchers.
    pub(crate) pubsub: PubSub,
    /// Wakes the relays after a commit.
    pub(crate) outbox: OutboxNotifier,
    pub(crate) daraja: Daraja,
    pub(crate) players: Players,
    pub(crate) notifications: Notifications,
    /// Age at which an open payment without evidence expires.
    pub(crate) payment_expiry: Duration,
    /// From this amount on a callback is confirmed by a query.
    pub(crate) confirm_from: Money,
    pub(crate) prompt_limit: PromptRateLimit,
    /// How long a callback is kept once it has an outcome.
    pub(crate) inbox_retention: Duration,
}

impl Cx {
    /// The context of calls.
    pub(crate) fn new(pools: Pools, inner: Inner) -> Self {
        Self { db: pools.calls, jobs_db: pools.jobs, inner: Arc::new(inner) }
    }

    /// The same with the pool for jobs and outbox deliveries.
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
