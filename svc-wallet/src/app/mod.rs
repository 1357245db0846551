//! What the wallet can do, a use case a file. Each owns its transaction.

mod apply_callback;
mod boost;
mod expire;
mod push;
mod read;
mod reconcile;
mod settle;
mod store_callback;
mod sweep;
mod top_up;
mod watch;

use std::{sync::Arc, time::Duration};

use mesh::{Shutdown, outbox::OutboxNotifier, pubsub::PubSub};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use types::{Clock, Money, Rng};

use crate::{
    clients::{daraja::Daraja, players::Players},
    domain::{Patience, PaymentId},
};

pub use apply_callback::{CALLBACK_TOPIC, apply_callback};
pub use expire::expire;
pub use push::{PUSH_TOPIC, push};
pub use read::{balance, history, methods, payment};
pub use reconcile::reconcile;
pub use store_callback::{NewCallback, store_callback};
pub use sweep::sweep;
pub use top_up::{TopUp, top_up};
pub use watch::watch;

/// What use cases work with.
#[derive(Clone)]
pub struct Cx(Arc<Inner>);

/// The parts of a [`Cx`].
pub struct Inner {
    /// The wallet's database.
    pub pool: PgPool,
    /// The time.
    pub clock: Clock,
    /// Randomness.
    pub rng: Rng,
    /// Tasks and the stop.
    pub shutdown: Shutdown,
    /// Live news.
    pub live: Live,
    /// Rung when the outbox has something new.
    pub outbox: OutboxNotifier,
    /// M-Pesa.
    pub daraja: Daraja,
    /// Who players are.
    pub players: Players,
    /// How long a payment waits for news.
    pub payment_expiry: Duration,
    /// From here on a callback is confirmed by a query.
    pub confirm_from: Money,
    /// How often a phone may be rung in vain.
    pub patience: Patience,
    /// How long a callback is kept once applied.
    pub inbox_retention: Duration,
}

impl Cx {
    /// Puts the parts together.
    pub fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }
}

impl std::ops::Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// The outbox topic by which watchers hear that a payment changed.
pub const CHANGED_TOPIC: &str = "payment.changed";

/// The live channels of payments.
pub const LIVE_PATTERN: &str = "wallet.payment.*";

/// What an outbox row about a payment says.
#[derive(Debug, Serialize, Deserialize)]
pub struct About {
    /// Which.
    pub payment: PaymentId,
}

/// The live channel of one payment.
pub fn live_channel(payment: PaymentId) -> String {
    format!("wallet.payment.{payment}")
}

/// Owes watchers the news that a payment changed.
async fn tell_watchers(conn: &mut PgConnection, cx: &Cx, payment: PaymentId) -> sqlx::Result<()> {
    mesh::outbox::put(conn, &cx.clock, &cx.rng, CHANGED_TOPIC, &About { payment }).await
}
