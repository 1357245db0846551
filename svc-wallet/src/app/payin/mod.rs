//! Starting payments by any method, M-Pesa's prompt on a phone, and settling payments from evidence.

pub(super) mod callback;
pub(super) mod expire;
pub(super) mod pay;
pub(super) mod provider_record;
pub(super) mod push;
pub(super) mod reconcile;
pub(super) mod settle;
pub(super) mod settled;
pub(super) mod subscribe;
pub(super) mod top_up;
