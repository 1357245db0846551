//! The end of a payment, as it is measured.

use time::{Duration, OffsetDateTime};

use super::{Kind, Method, Payment, PaymentId, State};

/// A payment that reached a final state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) id: PaymentId,
    pub(crate) kind: Kind,
    pub(crate) method: Method,
    pub(crate) state: State,
    /// The time since the payment was stored.
    pub(crate) took: Duration,
}

impl Payment {
    /// The end of this payment in a final state.
    pub(crate) fn ended(&self, state: State, now: OffsetDateTime) -> Ended {
        let took = now - self.created_at;
        Ended { id: self.id, kind: self.kind, method: self.method, state, took }
    }
}

impl Ended {
    /// How the payment ended: why it failed, or its state.
    pub(crate) fn outcome(self) -> &'static str {
        match self.state {
            State::Failed(failure) => failure.into(),
            state => state.into(),
        }
    }
}
