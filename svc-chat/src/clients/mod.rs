//! Redis.

pub(crate) mod presence;
