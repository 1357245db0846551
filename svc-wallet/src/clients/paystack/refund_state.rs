//! Refunds as Paystack reports them.

use types::Money;

/// The state of a refund at Paystack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefundState {
    /// The refund is under way.
    Pending,
    /// The money is on its way to the card.
    Done,
    /// The refund was refused for good.
    Failed,
}

/// A refund as Paystack reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refund {
    pub(crate) id: String,
    pub(crate) state: RefundState,
    pub(crate) amount: Money,
    /// Our note, which finds a refund whose reply was lost.
    pub(crate) note: Option<String>,
}
