//! Publishing changes of payments to [`super::watch`].

use tracing::{Instrument as _, warn};

use super::Cx;
use crate::domain::PaymentId;

/// The pattern of all payments' channels.
pub(crate) const PAYMENT_CHANNELS: &str = "wallet.payment.*";

/// The channel of one payment.
pub(super) fn channel(payment: PaymentId) -> String {
    format!("wallet.payment.{payment}")
}

/// Publishes, in a task of its own, that a payment changed. Call it after the commit. The
/// message is a hint that may be lost: watchers read the payment again, with or without it.
pub(super) fn publish_payment_changed(cx: &Cx, payment: PaymentId) {
    let pubsub = cx.pubsub.clone();
    let publishing = async move {
        // Fails after half a second, so a Redis that does not reply cannot pile up tasks.
        if let Err(error) = pubsub.publish(&channel(payment), "").await {
            warn!(error = format!("{error:#}"), "cannot publish that a payment changed");
        }
    };
    cx.shutdown.spawn_contained("publish payment change", publishing.in_current_span());
}
