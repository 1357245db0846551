//! M-Pesa's prompt on a phone, and settling payments of any method from evidence.

pub(super) mod callback;
pub(super) mod expire;
pub(super) mod provider_record;
pub(super) mod push;
pub(super) mod reconcile;
pub(super) mod settle;
pub(super) mod settled;
