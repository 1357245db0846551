//! The end of a payment, as it is measured.

use time::{Duration, OffsetDateTime};

use super::{Method, Payment, PaymentId, PaymentKind, State};

/// A payment that reached a final state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) id: PaymentId,
    pub(crate) kind: PaymentKind,
    pub(crate) method: Method,
    pub(crate) state: State,
    /// The source of the evidence.
    pub(crate) cause: &'static str,
    /// The time since the payment was stored.
    pub(crate) took: Duration,
}

impl Payment {
    /// The end of this payment in a final state.
    pub(crate) fn ended(&self, state: State, cause: &'static str, now: OffsetDateTime) -> Ended {
        let took = now - self.created_at;
        Ended { id: self.id, kind: self.kind, method: self.method, state, cause, took }
    }
}

impl Ended {
    /// How the payment ended: why it failed, or its state. A card payment expires when its player
    /// leaves the card's page.
    pub(crate) fn outcome(self) -> &'static str {
        match self.state {
            State::Failed(failure) => failure.into(),
            State::Expired if self.method == Method::Card => "ABANDONED",
            state => state.into(),
        }
    }
}
