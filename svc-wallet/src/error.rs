//! How the wallet says no: refusals by rule, and failures of our own.

use std::time::Duration;

use mesh::{Fault, db};
use thiserror::Error;
use tonic::{Code, Status};
use tracing::info;

use crate::domain::OutOfLimits;

/// Why a use case did not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// A rule said no; the player is told.
    #[error("{0:?}")]
    Refused(Refused),
    /// The request has not the form of the contract.
    #[error("malformed request: {}", .0.message)]
    Malformed(Fault),
    /// A neighbour said no, and its word is passed on.
    #[error("a neighbour refused: {}", .0.message)]
    Neighbour(Fault),
    /// We broke.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

/// The rules that say no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// No method by that id.
    UnknownMethod,
    /// Not for this kind of payment (specification, section 5).
    MethodNotAllowed,
    /// Not yet.
    MethodComingSoon {
        /// As players know it.
        name: String,
    },
    /// The amount is out of bounds.
    Limits(OutOfLimits),
    /// No Kenyan mobile number.
    InvalidPhone,
    /// The phone was rung in vain often enough.
    PhoneRateLimited {
        /// For so long.
        rest: Duration,
    },
    /// The friend does not exist.
    UnknownPlayer,
    /// Less in the wallet than asked for.
    InsufficientFunds,
    /// No such payment, or not the caller's.
    UnknownPayment,
    /// One of the payments to watch is not the caller's.
    NotYourPayment,
    /// Somebody else is at the same wallet; trying again helps.
    Busy,
    /// A message under a secret that is none of ours.
    UnknownCallback,
    /// The service is stopping; whoever watches should come again.
    Stopping,
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<OutOfLimits> for Error {
    fn from(limits: OutOfLimits) -> Self {
        Self::Refused(Refused::Limits(limits))
    }
}

impl From<sqlx::Error> for Error {
    /// The database keeps the promises too: where it is the one to say no, its
    /// word is the rule's.
    fn from(error: sqlx::Error) -> Self {
        match db::violated(&error) {
            Some("wallet_covers") => Self::Refused(Refused::InsufficientFunds),
            _ if db::is_conflict(&error) => Self::Refused(Refused::Busy),
            _ => Self::Failed(error.into()),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refused) => {
                info!(?refused, "refused");
                refused.fault().into()
            }
            Error::Malformed(fault) | Error::Neighbour(fault) => fault.into(),
            Error::Failed(cause) => Fault::failure(&cause).into(),
        }
    }
}

impl Refused {
    /// The table: what each rule's no is on the wire, and what the player reads.
    fn fault(self) -> Fault {
        use Code::{Aborted, FailedPrecondition, InvalidArgument, NotFound, PermissionDenied};
        match self {
            Self::UnknownMethod => Fault::new(
                InvalidArgument,
                "UNKNOWN_METHOD",
                "Please choose one of the payment methods.",
            ),
            Self::MethodNotAllowed => Fault::new(
                InvalidArgument,
                "METHOD_NOT_ALLOWED",
                "That payment method cannot be used here. Please choose another method.",
            ),
            Self::MethodComingSoon { name } => Fault::new(
                InvalidArgument,
                "METHOD_COMING_SOON",
                format!("Payment using {name} coming soon. Please choose another method."),
            ),
            Self::Limits(limits) => limits_fault(limits),
            Self::InvalidPhone => Fault {
                reason: "INVALID_PHONE".into(),
                ..Fault::invalid_field(
                    "mpesaPhoneNumber",
                    "Please enter a Kenyan mobile number, like +254712345678.",
                )
            },
            Self::PhoneRateLimited { rest } => Fault {
                reason: "PHONE_RATE_LIMITED".into(),
                message: "That phone was asked several times and nobody paid. \
                          Please use another number, or try again later."
                    .into(),
                ..Fault::rate_limited(rest)
            },
            Self::UnknownPlayer => Fault::new(NotFound, "USER_NOT_FOUND", "User not found"),
            Self::InsufficientFunds => Fault::new(
                FailedPrecondition,
                "INSUFFICIENT_FUNDS",
                "You do not have enough money in your wallet.",
            ),
            Self::UnknownPayment => {
                Fault::new(NotFound, "PAYMENT_NOT_FOUND", "We do not know that payment.")
            }
            Self::NotYourPayment => {
                Fault::new(PermissionDenied, "NOT_YOUR_PAYMENT", "That payment is not yours.")
            }
            Self::UnknownCallback => {
                Fault::new(NotFound, "UNKNOWN_CALLBACK", "Nobody waits for that message.")
            }
            Self::Stopping => Fault::unavailable(),
            Self::Busy => Fault::new(
                Aborted,
                "WALLET_BUSY",
                "Your wallet is busy with another payment. Please try again.",
            ),
        }
    }
}

fn limits_fault(limits: OutOfLimits) -> Fault {
    let (reason, text) = match limits {
        OutOfLimits::Range { least, most } => {
            ("AMOUNT_OUT_OF_RANGE", format!("Please enter an amount from {least} to {most}."))
        }
        OutOfLimits::OddCents => {
            ("WHOLE_SHILLINGS_ONLY", "M-Pesa moves whole shillings only.".to_owned())
        }
        OutOfLimits::Daily { daily } => {
            ("DAILY_LIMIT", format!("You can pay in at most {daily} a day."))
        }
    };
    Fault { reason: reason.into(), ..Fault::invalid_field("amount", text) }
}
