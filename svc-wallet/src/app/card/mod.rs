//! Payments by card.

pub(super) mod events;
pub(super) mod page;
pub(super) mod refund;
pub(super) mod verify;
