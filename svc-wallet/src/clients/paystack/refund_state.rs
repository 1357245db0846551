//! Refunds as Paystack has them.

use types::Money;

/// The state of a refund at Paystack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefundState {
    /// Under way.
    Pending,
    /// The money is on its way to the card.
    Done,
    /// It was refused for good.
    Failed,
}

/// A refund as Paystack has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refund {
    pub(crate) id: String,
    pub(crate) state: RefundState,
    pub(crate) amount: Money,
    /// Our note, by which a refund is found whose reply was lost.
    pub(crate) note: Option<String>,
}
