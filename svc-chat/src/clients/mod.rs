//! Redis, and the push services of browsers.

pub(crate) mod presence;
pub(crate) mod push;
