//! From the wire's types to the domain's.

use crate::{
    domain::TournamentId,
    error::{Error, Refused},
};

/// A malformed id gets the same reply as an unknown one.
pub(super) fn tournament_id(text: &str) -> Result<TournamentId, Error> {
    Ok(TournamentId::parse(text).map_err(|_| Refused::TournamentNotFound)?)
}
