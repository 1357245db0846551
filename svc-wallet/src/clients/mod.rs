//! Clients of upstreams and providers, each with its own protocol.

mod call_end;
pub(crate) mod carrier;
pub(crate) mod daraja;
pub(crate) mod notifications;
pub(crate) mod paystack;
pub(crate) mod players;
