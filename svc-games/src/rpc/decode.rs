//! From the wire's types to the domain's.

use crate::{
    domain::{GameId, Inputs},
    error::{Error, Refused},
    proof::Ticket,
};

/// A malformed id gets the same reply as an unknown one.
pub(super) fn game_id(text: &str) -> Result<GameId, Error> {
    Ok(GameId::parse(text).map_err(|_| Refused::GameNotFound)?)
}

/// A malformed ticket gets the same reply as a forged one.
pub(super) fn ticket(text: &str) -> Result<Ticket, Error> {
    Ok(Ticket::parse(text).ok_or(Refused::SessionNotFound)?)
}

pub(super) fn inputs(bytes: Vec<u8>) -> Result<Inputs, Error> {
    Ok(Inputs::parse(bytes).map_err(Refused::from)?)
}
