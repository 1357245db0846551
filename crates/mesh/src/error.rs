//! The error of a use case.

use std::fmt::{Debug, Display};

use thiserror::Error;
use tonic::{Code, Status};
use tracing::info;

use crate::{Fault, db, fault::refusal, telemetry::Failure};

/// A service's table of refusals, one for each rule, with its code and REASON
/// (`impl From<Refused> for Fault`) and a sentence for the log (`Display`).
pub trait Refusal: Display + Debug + Into<Fault> + Send + Sync + 'static {
    /// The refusal behind a named constraint, for rules that the database enforces too.
    fn of_constraint(constraint: &str) -> Option<Self>
    where
        Self: Sized,
    {
        let _ = constraint;
        None
    }
}

/// The error of every use case; `R` is the service's own [`Refusal`].
#[derive(Debug, Error)]
pub enum Error<R> {
    /// A rule of the service refused the call. The player reads why.
    #[error("{0}")]
    Refused(R),
    /// The call was refused before the rules of the service applied: a malformed request, a reused
    /// idempotency key, or an upstream's refusal, which is passed on unchanged.
    #[error("{}: {}", .0.reason, .0.message)]
    Fault(#[source] Fault),
    /// Another transaction changed the same rows first. The same call may succeed.
    #[error("lost to a concurrent transaction")]
    Conflict,
    /// A failure of the service. The player reads nothing about it.
    // Not transparent, which would hide the type of the cause from code that walks the chain.
    #[error("{0}")]
    Failed(#[source] anyhow::Error),
}

impl<R: Refusal> From<R> for Error<R> {
    fn from(refused: R) -> Self {
        Self::Refused(refused)
    }
}

impl<R> From<Fault> for Error<R> {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<R> From<anyhow::Error> for Error<R> {
    fn from(cause: anyhow::Error) -> Self {
        Self::Failed(cause)
    }
}

impl<R: Refusal> From<sqlx::Error> for Error<R> {
    fn from(error: sqlx::Error) -> Self {
        if let Some(refused) = db::violated(&error).and_then(R::of_constraint) {
            return Self::Refused(refused);
        }
        match db::Meaning::of(&error) {
            db::Meaning::Conflict => Self::Conflict,
            db::Meaning::Outage | db::Meaning::Bug => Self::Failed(error.into()),
        }
    }
}

impl<R> Failure for Error<R> {
    fn is_failure(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Conflict => false,
            Self::Fault(fault) => fault.is_failure(),
            Self::Failed(_) => true,
        }
    }
}

/// Statements find out by a violated constraint that a name is taken or a balance too low,
/// and by a conflict that another transaction was first: neither is a failure.
impl Failure for sqlx::Error {
    fn is_failure(&self) -> bool {
        let is_answer = self
            .as_database_error()
            .is_some_and(|error| error.is_unique_violation() || error.is_check_violation());
        !is_answer && db::Meaning::of(self) != db::Meaning::Conflict
    }
}

impl<R: Refusal> From<Error<R>> for Fault {
    /// Logs a failure, once; a refusal at info.
    fn from(error: Error<R>) -> Self {
        match error {
            Error::Refused(refused) => {
                info!(%refused, "refused");
                refused.into()
            }
            Error::Fault(fault) => fault,
            Error::Conflict => Self::new(Code::Aborted, "CONFLICT"),
            Error::Failed(cause) => Self::failure(&cause),
        }
    }
}

impl<R: Refusal> From<Error<R>> for Status {
    fn from(error: Error<R>) -> Self {
        match error {
            // An upstream's fault that is passed on is a refusal of this service, too.
            Error::Refused(_) | Error::Fault(_) => refusal(error.into()),
            Error::Conflict | Error::Failed(_) => Fault::from(error).into(),
        }
    }
}
