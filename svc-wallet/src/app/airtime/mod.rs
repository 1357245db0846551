//! Payments by airtime.

pub(super) mod charge;
pub(super) mod notices;
