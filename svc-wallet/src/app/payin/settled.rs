//! The result of applying evidence to a payment.

use std::time::Duration;

/// The cause of a state change that a callback brought.
pub(crate) const CALLBACK: &str = "callback";
/// Longest time between doubtful evidence and a query. The query is not sent at once, because
/// Daraja itself may need a moment to have the result.
pub(crate) const CONFIRM_AFTER: Duration = Duration::from_mins(2);

/// The result of applying evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The evidence was applied, now or before.
    Applied,
    /// Another payment has the receipt: the evidence was ignored.
    ReceiptUsed,
    /// The payment has another receipt: it may have been paid twice.
    SecondReceipt,
    /// Another amount moved: an operator must look at it. Returned for payouts only.
    OtherAmount,
}
