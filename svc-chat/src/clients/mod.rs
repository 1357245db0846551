//! Clients of svc-auth, Redis, and the push services of browsers.

pub(crate) mod players;
pub(crate) mod presence;
pub(crate) mod push;
