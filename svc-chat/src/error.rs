//! The refusals of svc-chat, with the gRPC code and REASON of each.

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;
use types::InvalidContent;

use crate::domain::Malformed;

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub(crate) enum Refused {
    /// A fault of the service that calls; no player reads it.
    #[error("a notification is malformed: {0}")]
    Malformed(#[from] Malformed),
    /// The same.
    #[error("the source was used with other content")]
    SourceReused,
    #[error("the player, or all players together, watch too much")]
    TooManyWatchers,
    #[error("the content is not valid: {0}")]
    Content(#[from] InvalidContent),
    #[error("the service is stopping")]
    Stopping,
}

impl Refusal for Refused {}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Malformed(_) => Self::new(Code::InvalidArgument, "INVALID_ARGUMENT"),
            Refused::SourceReused => Self::new(Code::FailedPrecondition, "IDEMPOTENCY_KEY_REUSED"),
            Refused::TooManyWatchers => Self::new(Code::ResourceExhausted, "TOO_MANY_STREAMS"),
            Refused::Content(InvalidContent { field, problem }) => Self {
                fields: vec![(field.into_owned(), problem)],
                ..Self::new(Code::InvalidArgument, "INVALID_CONTENT")
            },
            Refused::Stopping => Self::unavailable(),
        }
    }
}
