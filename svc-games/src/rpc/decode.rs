//! From the wire's types to the domain's.

use crate::{
    domain::GameId,
    error::{Error, Refused},
};

/// A malformed id gets the same reply as an unknown one.
pub(super) fn game_id(text: &str) -> Result<GameId, Error> {
    Ok(GameId::parse(text).map_err(|_| Refused::GameNotFound)?)
}
