//! Storing the callbacks of providers, and applying them.

pub(super) mod apply;
pub(super) mod store;
