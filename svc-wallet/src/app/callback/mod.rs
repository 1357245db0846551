//! Storing the callbacks of providers, and applying them.

pub(super) mod apply;
mod lost;
pub(super) mod store;
