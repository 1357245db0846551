//! How a service says no.
//!
//! A *refusal* is a rule's answer: the player is told why, in words, under a
//! stable REASON, and nothing is wrong with us. A *failure* is ours: the player
//! gets an opaque sentence and the trace id, and it is logged once, at error,
//! where it leaves the service. On the wire both are a gRPC status with
//! [`ErrorInfo`](tonic_types::ErrorInfo) (AIP-193).

use std::{borrow::Cow, collections::HashMap, time::Duration};

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tracing::error;

use crate::db;

/// The domain under which our reasons stand (AIP-193).
const DOMAIN: &str = "playon";

/// What a player reads when the trouble is ours.
const OPAQUE: &str = "Something happened.";

/// An error as the wire has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The gRPC code.
    pub code: Code,
    /// `UPPER_SNAKE`, stable: clients decide by it.
    pub reason: Cow<'static, str>,
    /// Fit to be shown to a player.
    pub message: Cow<'static, str>,
    /// What is wrong with each field, by its name in the contract.
    pub fields: Vec<(String, String)>,
    /// When to come back.
    pub retry_after: Option<Duration>,
}

impl Fault {
    /// A refusal.
    pub fn new(
        code: Code,
        reason: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            code,
            reason: reason.into(),
            message: message.into(),
            fields: Vec::new(),
            retry_after: None,
        }
    }

    /// A refusal of the request's form: the first field's text is the message.
    pub fn invalid(fields: Vec<(String, String)>) -> Self {
        let message = fields
            .first()
            .map_or(Cow::Borrowed("That request is not valid."), |(_, text)| text.clone().into());
        Self { fields, ..Self::new(Code::InvalidArgument, "INVALID_ARGUMENT", message) }
    }

    /// A refusal of one field.
    pub fn invalid_field(field: &str, text: impl Into<String>) -> Self {
        Self::invalid(vec![(field.to_owned(), text.into())])
    }

    /// Nobody we know.
    pub fn unauthenticated() -> Self {
        Self::new(Code::Unauthenticated, "UNAUTHENTICATED", "Please sign in.")
    }

    /// Too many, too fast.
    pub fn rate_limited(retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(
                Code::ResourceExhausted,
                "RATE_LIMITED",
                "Too many tries. Please wait a little and try again.",
            )
        }
    }

    /// A failure: logged here, once, with all it knows; opaque outside.
    pub fn failure(cause: &anyhow::Error) -> Self {
        error!(error = format!("{cause:#}"), "failed");
        if is_outage(cause) { Self::unavailable() } else { Self::internal() }
    }

    /// Somebody this call needs is not there; trying again later may work.
    pub fn unavailable() -> Self {
        Self::new(
            Code::Unavailable,
            "UNAVAILABLE",
            "We cannot do that right now. Please try again in a moment.",
        )
    }

    /// It took longer than it may.
    pub fn deadline_exceeded() -> Self {
        Self::new(
            Code::DeadlineExceeded,
            "DEADLINE_EXCEEDED",
            "That took too long. Please try again.",
        )
    }

    fn internal() -> Self {
        Self::new(Code::Internal, "INTERNAL", OPAQUE)
    }

    /// Reads what a neighbour answered. Its refusals are passed on word by
    /// word; anything that is no refusal of ours says nothing to a player.
    pub fn from_status(status: &Status) -> Self {
        let details = status.get_error_details();
        let Some(info) = details.error_info().filter(|info| info.domain == DOMAIN) else {
            return match status.code() {
                // "Unknown" is how tonic reports a neighbour that died in mid-call.
                Code::Unavailable | Code::Unknown => Self::unavailable(),
                // tonic's own time-out says "cancelled".
                Code::DeadlineExceeded | Code::Cancelled => Self::deadline_exceeded(),
                Code::Unauthenticated => Self::unauthenticated(),
                Code::Unimplemented => {
                    Self::new(Code::Unimplemented, "UNIMPLEMENTED", "That is not possible yet.")
                }
                _ => Self::internal(),
            };
        };
        let fields = details.bad_request().map_or_else(Vec::new, |bad| {
            bad.field_violations
                .iter()
                .map(|violation| (violation.field.clone(), violation.description.clone()))
                .collect()
        });
        Self {
            code: status.code(),
            reason: info.reason.clone().into(),
            message: status.message().to_owned().into(),
            fields,
            retry_after: details.retry_info().and_then(|retry| retry.retry_delay),
        }
    }
}

impl From<Fault> for Status {
    fn from(fault: Fault) -> Self {
        let mut details = ErrorDetails::new();
        details.set_error_info(fault.reason, DOMAIN, HashMap::new());
        for (field, description) in fault.fields {
            details.add_bad_request_violation(field, description);
        }
        if let Some(delay) = fault.retry_after {
            details.set_retry_info(Some(delay));
        }
        Self::with_error_details(fault.code, fault.message, details)
    }
}

/// Whether the cause is a store or a neighbour that cannot be reached, which is
/// worth another try, rather than a fault in the code, which is not.
fn is_outage(cause: &anyhow::Error) -> bool {
    cause.chain().any(|link| {
        let database = link.downcast_ref::<sqlx::Error>().is_some_and(db::is_outage);
        let neighbour = link.downcast_ref::<Status>().is_some_and(|status| {
            matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled)
        });
        database || neighbour
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_survives_the_wire_word_by_word() {
        let fault = Fault {
            fields: vec![("amount".into(), "Too much.".into())],
            retry_after: Some(Duration::from_secs(7)),
            ..Fault::new(Code::InvalidArgument, "AMOUNT_OUT_OF_RANGE", "Too much.")
        };
        assert_eq!(Fault::from_status(&Status::from(fault.clone())), fault);
    }

    #[test]
    fn a_failure_tells_a_player_nothing() {
        let cause = anyhow::anyhow!("relation \"wallet\" does not exist");
        let fault = Fault::failure(&cause);
        assert_eq!((fault.code, fault.message.as_ref()), (Code::Internal, OPAQUE));
    }

    #[test]
    fn a_store_out_of_reach_is_an_outage() {
        let cause = anyhow::Error::from(sqlx::Error::PoolTimedOut).context("read the balance");
        assert_eq!(Fault::failure(&cause).code, Code::Unavailable);
    }

    #[test]
    fn a_foreign_status_is_not_shown_to_players() {
        let fault = Fault::from_status(&Status::internal("h2 protocol error"));
        assert_eq!(fault.message, OPAQUE);
    }
}
