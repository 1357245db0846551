//! Publishing changes of payments to [`super::watch`], and measuring how payments end.

use metrics::{counter, histogram};
use tracing::{Instrument as _, error, warn};

use super::Cx;
use crate::domain::{Ended, Failure, PaymentId, PaymentKind, State};

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

/// Publishes that a payment ended, and counts its end. Call it after the commit.
pub(super) fn publish_payment_ended(cx: &Cx, ended: &Ended) {
    publish_payment_changed(cx, ended.id);
    let (kind, method): (&str, &str) = (ended.kind.into(), ended.method.into());
    let outcome = ended.outcome();
    let labels = [("kind", kind), ("method", method), ("outcome", outcome), ("cause", ended.cause)];
    counter!("payments_ended_total", &labels).increment(1);
    // A withdrawal may wait for operators.
    if ended.state == State::Succeeded && ended.kind != PaymentKind::Withdrawal {
        let took = ended.took.as_seconds_f64();
        histogram!("payment_success_seconds", "kind" => kind, "method" => method).record(took);
    }
    if ended.state == State::Failed(Failure::FloatLow) {
        error!("PlayOn's balance at M-Pesa is too low for payouts");
    }
}
