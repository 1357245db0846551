//! Giving M-Pesa payments back.

pub(super) mod callback;
pub(super) mod order;
pub(super) mod reconcile;
pub(super) mod send;
pub(super) mod settle;
