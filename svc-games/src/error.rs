//! The refusals of svc-games, and what each is on the wire.

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// A rule said no.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub(crate) enum Refused {
    #[error("no game has that id")]
    GameNotFound,
}

impl Refusal for Refused {}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::GameNotFound => Self::new(Code::NotFound, "GAME_NOT_FOUND"),
        }
    }
}
