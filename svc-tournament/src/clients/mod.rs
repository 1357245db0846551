//! Clients of the services that this one calls.

pub(crate) mod games;
pub(crate) mod notifications;
pub(crate) mod persons;
pub(crate) mod wallets;
