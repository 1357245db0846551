//! The limits of Daraja and of this sandbox.

use std::time::Duration;

/// Largest amount of one payment, in whole shillings.
pub(super) const MAX_AMOUNT: u64 = 250_000;
/// How long a reply waits for the callback that should arrive before it.
pub(super) const MAX_REPLY_DELAY: Duration = Duration::from_secs(25);
