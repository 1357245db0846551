//! The states of payments.

use super::Failure;

/// The state of a payment. The texts are the values of the column `payment.state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumDiscriminants)]
#[strum(serialize_all = "UPPERCASE")]
#[strum_discriminants(
    name(StateName),
    vis(pub(crate)),
    doc = "A state's name alone, as the column `payment.state` has it.",
    derive(strum::EnumString),
    strum(serialize_all = "UPPERCASE")
)]
pub(crate) enum State {
    /// Stored; the provider was not called yet.
    Created,
    /// A withdrawal that an operator looks at first.
    Held,
    /// The provider is being called, or was when the process died.
    Submitting,
    /// The provider accepted the payment.
    Submitted,
    /// The money moved, and the ledger has it.
    Succeeded,
    /// The provider refused the payment.
    Failed(Failure),
    /// There was no evidence in time.
    Expired,
    /// The provider moved another amount than we asked for.
    Conflicted,
}

impl State {
    /// Whether the payment has ended, as far as we know.
    pub(crate) const fn is_final(self) -> bool {
        !matches!(self, Self::Created | Self::Held | Self::Submitting | Self::Submitted)
    }
}
