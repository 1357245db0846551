//! Whom svc-wallet asks: providers, by their own protocols, and neighbours.

pub mod daraja;
pub mod players;
