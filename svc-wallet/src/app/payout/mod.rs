//! Money that goes out to phones.

pub(super) mod callback;
pub(super) mod notify;
pub(super) mod reconcile;
pub(super) mod send;
pub(super) mod settle;
pub(super) mod withdraw;
