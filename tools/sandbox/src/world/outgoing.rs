//! Requests that a provider posts to the business, kept until they are posted.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::payment::Delivery;

/// A request that is still to be posted, or was.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outgoing {
    pub(crate) id: String,
    /// What the request reports, for people: `b2c result`, `charge.success`.
    pub(crate) what: String,
    /// The payment that the request is about.
    pub(crate) reference: String,
    pub(crate) url: String,
    pub(crate) body: String,
    /// The header `x-paystack-signature`, of Paystack's requests only.
    pub(crate) signature: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) due_at: OffsetDateTime,
    /// Attempts that may still be made; 0 if the request is concluded.
    pub(crate) attempts_left: u32,
    /// Milliseconds between two attempts; an attempt fails without a status of 2xx.
    pub(crate) retry_ms: u64,
    pub(crate) deliveries: Vec<Delivery>,
}

impl Outgoing {
    /// A request that is posted once.
    pub(crate) fn once(
        what: &str,
        reference: &str,
        url: &str,
        body: String,
        due_at: OffsetDateTime,
    ) -> Self {
        Self {
            id: hex::encode(rand::random::<[u8; 8]>()),
            what: what.to_owned(),
            reference: reference.to_owned(),
            url: url.to_owned(),
            body,
            signature: None,
            due_at,
            attempts_left: 1,
            retry_ms: 0,
            deliveries: Vec::new(),
        }
    }

    pub(crate) fn is_concluded(&self) -> bool {
        self.attempts_left == 0
    }

    /// Records an attempt, and sets the next where it has failed.
    pub(crate) fn attempted(&mut self, delivery: Delivery) {
        let delivered = delivery.status.is_some_and(|status| (200..300).contains(&status));
        self.attempts_left = if delivered { 0 } else { self.attempts_left.saturating_sub(1) };
        self.due_at = delivery.at + std::time::Duration::from_millis(self.retry_ms);
        self.deliveries.push(delivery);
    }
}
