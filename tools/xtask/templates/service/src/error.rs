//! The refusals of svc-{{name}}, with the gRPC code and REASON of each.

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;

use crate::domain::InvalidName;

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub(crate) enum Refused {
    #[error("no {{noun_words}} of the caller has that id or code")]
    {{Noun}}NotFound,
    #[error("the name is empty, too long or has control characters")]
    InvalidName,
}

impl Refusal for Refused {
    fn of_constraint(constraint: &str) -> Option<Self> {
        match constraint {
            "{{noun}}_name" => Some(Self::InvalidName),
            _ => None,
        }
    }
}

impl From<InvalidName> for Refused {
    fn from(_: InvalidName) -> Self {
        Self::InvalidName
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::{{Noun}}NotFound => Self::new(Code::NotFound, "{{NOUN}}_NOT_FOUND"),
            Refused::InvalidName => {
                Self::new(Code::InvalidArgument, "INVALID_{{NOUN}}_NAME").field("name")
            }
        }
    }
}
