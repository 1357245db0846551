//! Errors as the wire has them.
//!
//! A *refusal* is a rule's answer: the player reads why, under a stable REASON, and
//! nothing is wrong with the service. A *failure* is ours: the player gets a general
//! text and the trace id, and it is logged once, at error, where it leaves the service.
//! On the wire both are a gRPC status with [`ErrorInfo`](tonic_types::ErrorInfo)
//! (AIP-193).

use std::{borrow::Cow, collections::HashMap, error::Error as _, iter::successors, time::Duration};

use http::HeaderMap;
use thiserror::Error;
use tonic::{Code, Status, metadata::MetadataValue};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};
use tracing::error;
use types::{Params, Text};

use crate::{Language, db, telemetry::Failure, texts};

/// The domain of our REASONs (AIP-193).
const DOMAIN: &str = "playon";
/// How long a client waits after a call was shed.
const OVERLOAD_PAUSE: Duration = Duration::from_secs(2);

/// The REASON of a call that an upstream refused because it has too many.
const OVERLOADED: &str = "OVERLOADED";

/// An error as the wire has it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{reason}: {message}")]
pub struct Fault {
    /// The gRPC code.
    pub code: Code,
    /// `UPPER_SNAKE` and stable: clients decide by it.
    pub reason: Cow<'static, str>,
    /// The values that the parameters of the texts stand for.
    pub params: Params,
    /// Text for the player, in English.
    pub message: Cow<'static, str>,
    /// The faults of single fields.
    pub fields: Vec<FieldFault>,
    /// How long to wait before the next try.
    pub retry_after: Option<Duration>,
}

/// The fault of one field of a request, with its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldFault {
    /// The field's name in the contract.
    pub name: String,
    /// The key of the text. Empty for a text that only operators read.
    pub key: Cow<'static, str>,
    /// Text for the player, in English.
    pub text: Cow<'static, str>,
}

impl Fault {
    /// A refusal, with the text of the catalogue for its REASON.
    pub fn new(code: Code, reason: impl Into<Cow<'static, str>>) -> Self {
        let reason = reason.into();
        let message = english(&reason, &[]);
        Self { code, reason, params: Vec::new(), message, fields: Vec::new(), retry_after: None }
    }

    /// Puts a value in place of `{name}` in the text of the catalogue.
    #[must_use]
    pub fn param(mut self, name: &'static str, value: impl ToString) -> Self {
        self.params.push((name.into(), value.to_string()));
        self.message = english(&self.reason, &self.params);
        self
    }

    /// Adds one field that is at fault, with the text of the whole fault.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>) -> Self {
        let (key, text) = (self.reason.clone(), self.message.clone());
        self.fields.push(FieldFault { name: name.into(), key, text });
        self
    }

    /// A refusal of the request's form.
    pub fn invalid<F: Into<String>>(fields: impl IntoIterator<Item = (F, Text)>) -> Self {
        let fault = Self::new(Code::InvalidArgument, "INVALID_ARGUMENT");
        fields.into_iter().fold(fault, |fault, (name, text)| fault.field_text(name, text))
    }

    /// Adds what is wrong with one field. The first field's text is the message.
    #[must_use]
    pub fn field_text(mut self, name: impl Into<String>, text: impl Into<Text>) -> Self {
        let Text { key, params } = text.into();
        let text = english(&key, &params);
        if self.fields.is_empty() {
            self.message.clone_from(&text);
        }
        // The texts of all fields share the parameters.
        let differs = |(name, value)| self.params.iter().any(|(n, v)| n == name && v != value);
        debug_assert!(!params.iter().any(|(n, v)| differs((n, v))), "{key} needs other parameters");
        self.params.extend(params);
        self.fields.push(FieldFault { name: name.into(), key, text });
        self
    }

    /// A refusal of one field.
    pub fn invalid_field(name: &str, text: impl Into<Text>) -> Self {
        Self::invalid([(name, text.into())])
    }

    /// Adds what is wrong with one field, in words for operators.
    #[must_use]
    pub fn problem(mut self, name: impl Into<String>, problem: impl Into<String>) -> Self {
        let (key, text) = (Cow::Borrowed(""), Cow::Owned(problem.into()));
        self.fields.push(FieldFault { name: name.into(), key, text });
        self
    }

    /// The names of the fields that are wrong, each with its text.
    pub fn wrong_fields(&self) -> Vec<(&str, &str)> {
        self.fields.iter().map(|field| (&*field.name, &*field.text)).collect()
    }

    /// The caller is not signed in.
    pub fn unauthenticated() -> Self {
        Self::new(Code::Unauthenticated, "UNAUTHENTICATED")
    }

    /// The caller exceeded a rate limit.
    pub fn rate_limited(retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(Code::ResourceExhausted, "RATE_LIMITED")
        }
    }

    /// There is no such RPC.
    pub fn unimplemented() -> Self {
        Self::new(Code::Unimplemented, "UNIMPLEMENTED")
    }

    /// The caller may not make this call.
    pub fn forbidden() -> Self {
        Self::new(Code::PermissionDenied, "FORBIDDEN")
    }

    /// A failure: logged here, once, with its causes; without them on the wire.
    pub fn failure(cause: &anyhow::Error) -> Self {
        error!(error = format!("{cause:#}"), "failed");
        if is_outage(cause) { Self::unavailable() } else { Self::internal() }
    }

    /// A store or an upstream is out of reach; the same call may succeed later.
    pub fn unavailable() -> Self {
        Self::new(Code::Unavailable, "UNAVAILABLE")
    }

    /// The call exceeded its deadline.
    pub fn deadline_exceeded() -> Self {
        Self::new(Code::DeadlineExceeded, "DEADLINE_EXCEEDED")
    }

    /// The service sheds calls because it has too many; nothing was done.
    pub fn overloaded() -> Self {
        Self { retry_after: Some(OVERLOAD_PAUSE), ..Self::new(Code::ResourceExhausted, OVERLOADED) }
    }

    /// The caller's token cannot be verified now, because svc-auth is out of reach.
    pub fn session_unverified() -> Self {
        Self::new(Code::Unavailable, "SESSION_UNVERIFIED")
    }

    /// Whether the fault says only that something is out of reach, and not what.
    pub fn is_outage(&self) -> bool {
        matches!(&*self.reason, "UNAVAILABLE" | "DEADLINE_EXCEEDED")
    }

    /// Puts the texts in the language of the player. Services speak English. A text whose key this
    /// program does not have, because the service is newer, stays in English.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        if language == Language::English {
            return self;
        }
        let render = |key: &str| texts::text(key, texts::pairs(&self.params), language);
        let first = self.fields.first().map(|field| &field.key).filter(|key| !key.is_empty());
        if let Some(text) = render(first.unwrap_or(&self.reason)) {
            self.message = text;
        }
        for field in &mut self.fields {
            if let Some(text) = render(&field.key) {
                field.text = text;
            }
        }
        self
    }

    fn internal() -> Self {
        Self::new(Code::Internal, "INTERNAL")
    }

    /// Reads an upstream's status. The upstream's refusals are passed on unchanged; a status
    /// without a REASON of ours becomes a general fault.
    pub fn from_status(status: &Status) -> Self {
        let details = status.get_error_details();
        let Some(info) = details.error_info().filter(|info| info.domain == DOMAIN) else {
            return match status.code() {
                // tonic reports an upstream that died during the call as "unknown".
                Code::Unavailable | Code::Unknown => Self::unavailable(),
                // tonic reports its own timeout as "cancelled".
                Code::DeadlineExceeded | Code::Cancelled => Self::deadline_exceeded(),
                Code::Unauthenticated => Self::unauthenticated(),
                Code::Unimplemented => Self::new(Code::Unimplemented, "UNIMPLEMENTED"),
                _ => Self::internal(),
            };
        };
        let fields = details.bad_request().map_or_else(Vec::new, |bad| {
            bad.field_violations
                .iter()
                .map(|violation| FieldFault {
                    name: violation.field.clone(),
                    key: Cow::Owned(violation.reason.clone()),
                    text: Cow::Owned(violation.description.clone()),
                })
                .collect()
        });
        let mut params: Vec<_> = info
            .metadata
            .iter()
            .map(|(name, value)| (Cow::Owned(name.clone()), value.clone()))
            .collect();
        params.sort();
        Self {
            code: status.code(),
            reason: info.reason.clone().into(),
            params,
            message: status.message().to_owned().into(),
            fields,
            retry_after: details.retry_info().and_then(|retry| retry.retry_delay),
        }
    }
}

impl From<Fault> for Status {
    fn from(fault: Fault) -> Self {
        let mut details = ErrorDetails::new();
        let params: HashMap<String, String> =
            fault.params.into_iter().map(|(name, value)| (name.into_owned(), value)).collect();
        details.set_error_info(fault.reason, DOMAIN, params);
        let violations = fault.fields.into_iter().map(|field| FieldViolation {
            field: field.name,
            reason: field.key.into_owned(),
            description: field.text.into_owned(),
            localized_message: None,
        });
        let violations: Vec<_> = violations.collect();
        if !violations.is_empty() {
            details.set_bad_request(violations);
        }
        if let Some(delay) = fault.retry_after {
            details.set_retry_info(Some(delay));
        }
        Self::with_error_details(fault.code, fault.message, details)
    }
}

/// The catalogue's text in English.
fn english(key: &str, params: &[(Cow<'static, str>, String)]) -> Cow<'static, str> {
    let text = texts::text(key, texts::pairs(params), Language::English);
    debug_assert!(text.is_some(), "texts/en.json has no text for {key}");
    text.unwrap_or_else(|| Cow::Owned(key.to_owned()))
}

/// Metadata key of a refusal: a reply by which the service shows that it works.
const REFUSED: &str = "refused";
/// Value of [`REFUSED`] when the service has too many calls.
const OVERLOAD: &str = "overload";

/// Turns a refusal into a status. Whatever its code, it says nothing against the service.
pub(crate) fn refusal(fault: Fault) -> Status {
    let value = if fault.reason == OVERLOADED { OVERLOAD } else { "1" };
    let mut status = Status::from(fault);
    status.metadata_mut().insert(REFUSED, MetadataValue::from_static(value));
    status
}

/// Whether the headers of a reply are those of a [`refusal`].
pub(crate) fn is_refusal(headers: &HeaderMap) -> bool {
    headers.contains_key(REFUSED)
}

/// Whether the headers of a reply are those of [`Fault::overloaded`], as a [`refusal`].
pub(crate) fn is_overload(headers: &HeaderMap) -> bool {
    headers.get(REFUSED).is_some_and(|value| value == OVERLOAD)
}

/// The cause of a status that was made before its call was sent, as by an open breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the call was not sent")]
pub struct NotSent;

/// Whether the upstream may have received the call that ended with this status.
pub fn was_sent(status: &Status) -> bool {
    let mut causes = successors(status.source(), |cause| (*cause).source());
    !causes.any(<dyn std::error::Error>::is::<NotSent>)
}

impl Failure for Fault {
    fn is_failure(&self) -> bool {
        is_failure(self.code)
    }
}

impl Failure for Status {
    fn is_failure(&self) -> bool {
        is_failure(self.code())
    }
}

/// The codes that say that a server failed (OpenTelemetry's conventions for gRPC). The
/// others are about the request.
fn is_failure(code: Code) -> bool {
    use Code::{DataLoss, DeadlineExceeded, Internal, Unavailable, Unimplemented, Unknown};
    matches!(code, Unknown | DeadlineExceeded | Unimplemented | Internal | Unavailable | DataLoss)
}

/// Whether the cause is a store or an upstream that cannot be reached, which is worth
/// another try, rather than a fault in the code, which is not.
fn is_outage(cause: &anyhow::Error) -> bool {
    cause.chain().any(|link| {
        let database = link
            .downcast_ref::<sqlx::Error>()
            .is_some_and(|error| db::Meaning::of(error) == db::Meaning::Outage);
        let upstream = link.downcast_ref::<Status>().is_some_and(|status| {
            matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled)
        });
        database || upstream
    })
}

/// The causes of an error in one line. A wrapper that repeats the text of its cause, as
/// [`crate::Error`] does, adds nothing.
pub(crate) fn causes(error: &anyhow::Error) -> String {
    let mut texts: Vec<String> = error.chain().map(ToString::to_string).collect();
    texts.dedup();
    texts.join(": ")
}

/// Whether the cause is an upstream that is out of reach, too slow or overloaded, so that
/// waiting helps.
pub(crate) fn upstream_is_out(cause: &anyhow::Error) -> bool {
    let is_out = |code| matches!(code, Code::Unavailable | Code::DeadlineExceeded);
    cause.chain().any(|link| {
        if let Some(fault) = link.downcast_ref::<Fault>() {
            return is_out(fault.code) || fault.reason == OVERLOADED;
        }
        // tonic reports its own timeout as "cancelled".
        link.downcast_ref::<Status>().is_some_and(|status| {
            is_out(status.code())
                || status.code() == Code::Cancelled
                || status.get_error_details().error_info().is_some_and(|i| i.reason == OVERLOADED)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_the_same_after_the_wire() {
        let fault = Fault {
            retry_after: Some(Duration::from_secs(7)),
            ..Fault::new(Code::InvalidArgument, "METHOD_COMING_SOON").param("name", "PayPal")
        };
        let fault = fault.field("paymentMethodId");
        assert_eq!(Fault::from_status(&Status::from(fault.clone())), fault);
        assert!(fault.message.starts_with("Payment using PayPal coming soon."));
    }

    #[test]
    fn a_fault_is_told_in_the_language_of_the_player() {
        let fault = Fault::new(Code::InvalidArgument, "DAILY_LIMIT").param("daily", "KES 9.00");
        let fault = fault.field("amount").in_language(Language::Swahili);
        assert_eq!(fault.message, "Unaweza kutuma KES 9.00 pekee kwa siku.");
        assert_eq!(fault.fields[0].text, fault.message);

        let field = Fault::invalid_field("name", "NAME_MISSING");
        let field = field.in_language(Language::Swahili);
        assert_eq!(field.message, "Tafadhali weka jina lako.");
        assert_eq!(field.wrong_fields(), [("name", "Tafadhali weka jina lako.")]);

        let newer = Fault { reason: "OF_A_NEWER_SERVICE".into(), ..Fault::unavailable() };
        assert_eq!(newer.clone().in_language(Language::Swahili), newer);
    }

    #[test]
    fn a_failure_shows_no_cause_to_a_player() {
        let cause = anyhow::anyhow!("relation \"wallet\" does not exist");
        let fault = Fault::failure(&cause);
        assert_eq!((fault.code, fault.message.as_ref()), (Code::Internal, "Something happened."));
    }

    #[test]
    fn a_database_that_is_out_of_reach_is_unavailable() {
        let cause = anyhow::Error::from(sqlx::Error::PoolTimedOut).context("read the balance");
        assert_eq!(Fault::failure(&cause).code, Code::Unavailable);
    }

    #[test]
    fn a_call_that_was_held_back_was_not_sent() {
        let mut held_back = Status::unavailable("the breaker is open");
        held_back.set_source(std::sync::Arc::new(NotSent));
        assert!(!was_sent(&held_back));
        assert!(was_sent(&Status::unknown("connection closed")));
        assert!(was_sent(&Fault::unavailable().into()));
    }

    #[test]
    fn the_causes_of_an_error_are_named_once() {
        let cause = anyhow::anyhow!("refused").context("no connection");
        let error = anyhow::Error::from(crate::Error::<Refused>::from(cause)).context("notify");
        assert_eq!(causes(&error), "notify: no connection: refused");
    }

    #[test]
    fn an_upstream_that_is_out_is_found_behind_every_error() {
        type Error = crate::Error<Refused>;
        let unavailable = || Status::unavailable("connection refused");
        let overloaded = || {
            let fault = Fault::rate_limited(Duration::from_secs(1));
            Fault { reason: OVERLOADED.into(), ..fault }
        };
        let causes = [
            unavailable().into(),
            anyhow::Error::from(unavailable()).context("notify"),
            Error::from(anyhow::Error::from(unavailable())).into(),
            Error::from(anyhow::Error::from(unavailable()).context("notify")).into(),
            Error::from(Fault::from_status(&unavailable())).into(),
            Error::from(Fault::deadline_exceeded()).into(),
            Error::from(overloaded()).into(),
            Status::from(overloaded()).into(),
            Status::deadline_exceeded("").into(),
        ];
        for cause in causes {
            assert!(upstream_is_out(&cause), "{cause:#}");
        }
        for cause in [
            anyhow::anyhow!("a bug"),
            Status::invalid_argument("").into(),
            Status::from(Fault::rate_limited(Duration::from_secs(1))).into(),
            Error::Refused(Refused).into(),
            Error::Conflict.into(),
            sqlx::Error::PoolTimedOut.into(),
        ] {
            assert!(!upstream_is_out(&cause), "{cause:#}");
        }
    }

    #[derive(Debug, Error)]
    #[error("refused")]
    struct Refused;

    impl From<Refused> for Fault {
        fn from(_: Refused) -> Self {
            Self::unauthenticated()
        }
    }

    impl crate::Refusal for Refused {}

    #[test]
    fn a_status_that_is_not_ours_is_not_shown_to_players() {
        let fault = Fault::from_status(&Status::internal("h2 protocol error"));
        assert_eq!(fault.message, "Something happened.");
    }
}
