//! Upstreams.

pub(crate) mod tournaments;
