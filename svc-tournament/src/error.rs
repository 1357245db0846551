//! How svc-tournament says no: a rule's refusal, or a failure of our own. One table
//! turns refusals into what the wire says, and has no wildcard.

use mesh::Fault;
use thiserror::Error;
use tonic::{Code, Status};
use tracing::info;

/// A rule said no.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refused {
    /// No tournament has that id.
    #[error("no such tournament")]
    TournamentNotFound,
}

/// Why a use case did not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// A rule's answer; nothing is wrong with us.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Ours.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

impl From<sqlx::Error> for Error {
    fn from(cause: sqlx::Error) -> Self {
        Self::Failed(cause.into())
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        let (code, reason, text) = match refused {
            Refused::TournamentNotFound => {
                (Code::NotFound, "TOURNAMENT_NOT_FOUND", "We could not find that tournament.")
            }
        };
        Self::new(code, reason, text)
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refused) => {
                info!(refused = %refused, "refused");
                Fault::from(refused).into()
            }
            Error::Failed(cause) => Fault::failure(&cause).into(),
        }
    }
}
