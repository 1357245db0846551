//! How svc-chat says no. There is no rule that could say it yet: what goes wrong
//! is ours.

use mesh::Fault;
use thiserror::Error;
use tonic::Status;

/// Why a use case did not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// Ours.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

impl From<sqlx::Error> for Error {
    fn from(cause: sqlx::Error) -> Self {
        Self::Failed(cause.into())
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::Failed(cause) => Fault::failure(&cause).into(),
        }
    }
}
