//! What becomes of evidence about a payment.

use std::time::Duration;

/// The cause of a change that a callback brought.
pub(super) const CALLBACK: &str = "callback";
/// How long after doubtful evidence Daraja is queried, at the latest. Not at once, because
/// Daraja itself may need a moment to have the result.
pub(super) const CONFIRM_AFTER: Duration = Duration::from_mins(2);

/// What became of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// It was applied, now or before.
    Applied,
    /// Another payment has its receipt: it was ignored.
    ReceiptUsed,
    /// The payment has another receipt: it may have been paid twice.
    SecondReceipt,
    /// Another amount moved: an operator must look at it. Payouts only.
    OtherAmount,
}
