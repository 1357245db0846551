//! The refusals of svc-games, with the gRPC code and REASON of each.

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
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
