//! The envelope of every reply under `/api`:
//! `{"statusCode": n, "statusMessage": "…", "payload": …}`.

use std::{borrow::Cow, cell::RefCell, collections::BTreeMap, time::Duration};

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use cookie::Cookie;
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, SET_COOKIE, VARY},
};
use mesh::{Fault, fault::was_sent, permits::LimitReached};
use proto::Absent;
use serde::Serialize;
use tonic::{Code, Status};
use tracing::warn;

use crate::language;

const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
/// `Cache-Control` of most replies: they are for one player and soon out of date.
const NO_STORE: &str = "no-store";
/// Largest buffer that a thread keeps for writing replies, in bytes; most replies are shorter.
const WRITTEN_MAX: usize = 64 * 1024;
/// How long a client waits after it had too many calls in flight.
const PERMIT_PAUSE: Duration = Duration::from_secs(1);

/// The reply to a call that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<T> {
    status: StatusCode,
    /// The name of the status message in the catalogue of texts.
    text: &'static str,
    payload: T,
    caching: &'static str,
    set_cookies: Vec<HeaderValue>,
}

impl<T> Reply<T> {
    /// Creates a reply with status 200, "OK".
    pub const fn ok(payload: T) -> Self {
        Self::new(StatusCode::OK, "OK", payload)
    }

    /// Creates a reply with a successful status and the name of a text in the catalogue.
    pub const fn new(status: StatusCode, text: &'static str, payload: T) -> Self {
        Self { status, text, payload, caching: NO_STORE, set_cookies: Vec::new() }
    }

    /// Sets `Cache-Control`, for a reply that is the same for every caller.
    #[must_use]
    pub fn cached(self, caching: &'static str) -> Self {
        Self { caching, ..self }
    }

    /// Sets a cookie.
    #[must_use]
    pub fn with_cookie(mut self, cookie: &Cookie<'_>) -> Self {
        // A cookie of ours has no byte that a header cannot hold.
        self.set_cookies.extend(HeaderValue::try_from(cookie.to_string()).ok());
        self
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let mut response =
            encode(self.status, &language::text(self.text), self.caching, &self.payload);
        if self.caching != NO_STORE {
            response.headers_mut().insert(VARY, HeaderValue::from_static("accept-language"));
        }
        for cookie in self.set_cookies {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    }
}

/// A failure because the call's service, or a dependency of it, is out of reach. A reply carries it
/// among its extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outage {
    /// UNAVAILABLE, or `DEADLINE_EXCEEDED`.
    pub(crate) code: Code,
    /// Whether the service may have carried out the call.
    pub(crate) was_sent: bool,
}

/// A refusal that names fields. Its reply carries it among its extensions, so that the
/// route can rename them.
#[derive(Debug, Clone)]
pub(crate) struct WrongFields(pub(crate) Refusal);

/// The reply to a call that was refused or failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    fault: Box<Fault>,
    outage: Option<Outage>,
}

impl Refusal {
    /// The path does not exist.
    pub fn not_found() -> Self {
        Fault::new(Code::NotFound, "NOT_FOUND").into()
    }

    /// The path exists, but not with this method.
    pub fn method_not_allowed() -> Self {
        Fault::new(Code::Unimplemented, "HTTP_METHOD_NOT_ALLOWED").into()
    }

    /// The body is longer than its limit.
    pub fn too_large() -> Self {
        Fault::new(Code::InvalidArgument, "BODY_TOO_LARGE").into()
    }

    /// The file is larger than its limit. The number in the text is the specification's.
    pub fn file_too_large() -> Self {
        Fault::new(Code::InvalidArgument, "FILE_TOO_LARGE").into()
    }

    /// The body has another content type than the call reads.
    pub fn unsupported_media() -> Self {
        Fault::new(Code::InvalidArgument, "UNSUPPORTED_MEDIA").into()
    }

    /// The file is none of the kinds that the call takes; the text says which it takes.
    pub fn unsupported_file(text: &'static str) -> Self {
        Fault::new(Code::InvalidArgument, "UNSUPPORTED_MEDIA").field_text("file", text).into()
    }

    /// The body is not valid JSON.
    pub fn malformed() -> Self {
        Fault::new(Code::InvalidArgument, "MALFORMED_JSON").into()
    }

    /// Too many calls of all clients, or of this client, are in flight.
    pub fn too_many_calls(reached: LimitReached) -> Self {
        let fault = match reached {
            LimitReached::Total => Fault::overloaded(),
            LimitReached::Key => Fault {
                retry_after: Some(PERMIT_PAUSE),
                ..Fault::new(Code::ResourceExhausted, "TOO_MANY_CALLS")
            },
        };
        fault.into()
    }

    /// Whether the fault is on our side.
    pub fn is_failure(&self) -> bool {
        self.status.is_server_error()
    }

    /// The stable code that clients decide by.
    pub fn code(&self) -> &str {
        &self.fault.reason
    }

    /// The names of the fields that are wrong.
    pub fn fields(&self) -> Vec<&str> {
        let fields = self.fault.fields.iter();
        fields.map(|field| field.name.as_str()).collect()
    }

    /// Changes the names of the fields that are wrong.
    pub(crate) fn rename_fields(mut self, rename: impl Fn(&str) -> String) -> Self {
        for field in &mut self.fault.fields {
            field.name = rename(&field.name);
        }
        self
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self { status: fault_status(&fault), fault: Box::new(fault), outage: None }
    }
}

/// An upstream's status. The upstream has logged its own failures; a failure to reach it
/// is known only here.
impl From<Status> for Refusal {
    fn from(status: Status) -> Self {
        let fault = Fault::from_status(&status);
        let outage =
            fault.is_outage().then(|| Outage { code: fault.code, was_sent: was_sent(&status) });
        let refusal = Self { outage, ..Self::from(fault) };
        if refusal.is_failure() {
            warn!(code = ?status.code(), error = status.message(), "an upstream failed");
        }
        refusal
    }
}

/// An upstream left out a field that the contract promises.
impl From<Absent> for Refusal {
    fn from(Absent(name): Absent) -> Self {
        Fault::failure(&anyhow::anyhow!("a reply came without its {name}")).into()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let wrong = (!self.fault.fields.is_empty()).then(|| WrongFields(self.clone()));
        let fault = (*self.fault).in_language(language::current());
        let Fault { reason, message, fields, retry_after, .. } = fault;
        let fields = fields.into_iter().map(|field| (field.name, field.text)).collect();
        let payload = ErrorPayload { code: reason, fields };
        let mut response = encode(self.status, &message, NO_STORE, &payload);
        if let Some(wait) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, whole_seconds(wait).into());
        }
        if let Some(outage) = self.outage {
            response.extensions_mut().insert(outage);
        }
        if let Some(wrong) = wrong {
            response.extensions_mut().insert(wrong);
        }
        response
    }
}

/// The HTTP status of a fault (docs/errors.md): by the REASON where HTTP has a more precise
/// status than gRPC, otherwise by the code.
fn fault_status(fault: &Fault) -> StatusCode {
    match &*fault.reason {
        // The code, link or session was valid once, and will not be again.
        "CODE_EXPIRED" | "RESET_EXPIRED" | "LINK_EXPIRED" | "OAUTH_EXPIRED" | "SESSION_EXPIRED" => {
            StatusCode::GONE
        }
        "INPUTS_TOO_LARGE" | "BODY_TOO_LARGE" | "FILE_TOO_LARGE" => StatusCode::PAYLOAD_TOO_LARGE,
        "UNSUPPORTED_MEDIA" => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "HTTP_METHOD_NOT_ALLOWED" => StatusCode::METHOD_NOT_ALLOWED,
        // The budget for text messages is spent, for every caller; or the service sheds load,
        // although no caller exceeded a limit of its own.
        "SMS_PAUSED" | "OVERLOADED" => StatusCode::SERVICE_UNAVAILABLE,
        _ => http_status(fault.code),
    }
}

/// The HTTP status of a gRPC code. The match is exhaustive, so that a new code needs a
/// decision.
pub const fn http_status(code: Code) -> StatusCode {
    match code {
        Code::InvalidArgument | Code::OutOfRange => StatusCode::BAD_REQUEST,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::PermissionDenied => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyExists | Code::Aborted => StatusCode::CONFLICT,
        Code::FailedPrecondition => StatusCode::UNPROCESSABLE_ENTITY,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        Code::Ok | Code::Cancelled | Code::Unknown | Code::Internal | Code::DataLoss => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a, T> {
    status_code: u16,
    status_message: &'a str,
    payload: &'a T,
}

/// The payload of an error.
#[derive(Serialize)]
struct ErrorPayload {
    code: Cow<'static, str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    fields: BTreeMap<String, Cow<'static, str>>,
}

fn encode<T: Serialize>(
    status: StatusCode,
    message: &str,
    caching: &'static str,
    payload: &T,
) -> Response {
    let envelope = Envelope { status_code: status.as_u16(), status_message: message, payload };
    match json(&envelope) {
        Ok(body) => {
            let caching = HeaderValue::from_static(caching);
            (status, [(CONTENT_TYPE, JSON), (CACHE_CONTROL, caching)], body).into_response()
        }
        Err(error) => Refusal::from(Fault::failure(&error.into())).into_response(),
    }
}

thread_local! {
    /// The buffer in which this thread writes replies.
    static WRITTEN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Serialises a reply to JSON in the thread's buffer: a buffer of its own would be moved each time
/// the reply outgrows it.
fn json<T: Serialize>(reply: &T) -> serde_json::Result<Bytes> {
    WRITTEN.with_borrow_mut(|written| {
        written.clear();
        serde_json::to_writer(&mut *written, reply)?;
        let bytes = Bytes::copy_from_slice(written);
        written.clear();
        written.shrink_to(WRITTEN_MAX);
        Ok(bytes)
    })
}

/// Rounds up to whole seconds, as `Retry-After` needs.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_the_status_of_the_contract() {
        for (code, status) in [
            (Code::InvalidArgument, 400),
            (Code::OutOfRange, 400),
            (Code::Unauthenticated, 401),
            (Code::PermissionDenied, 403),
            (Code::NotFound, 404),
            (Code::AlreadyExists, 409),
            (Code::Aborted, 409),
            (Code::FailedPrecondition, 422),
            (Code::ResourceExhausted, 429),
            (Code::Unimplemented, 501),
            (Code::Unavailable, 503),
            (Code::DeadlineExceeded, 504),
            (Code::Ok, 500),
            (Code::Cancelled, 500),
            (Code::Unknown, 500),
            (Code::Internal, 500),
            (Code::DataLoss, 500),
        ] {
            assert_eq!(http_status(code).as_u16(), status, "{code:?}");
        }
    }

    #[test]
    fn an_expired_code_or_link_is_gone() {
        for (code, reason, status) in [
            (Code::FailedPrecondition, "CODE_EXPIRED", 410),
            (Code::FailedPrecondition, "RESET_EXPIRED", 410),
            (Code::FailedPrecondition, "LINK_EXPIRED", 410),
            (Code::FailedPrecondition, "OAUTH_EXPIRED", 410),
            (Code::FailedPrecondition, "SESSION_EXPIRED", 410),
            (Code::InvalidArgument, "INPUTS_TOO_LARGE", 413),
            (Code::ResourceExhausted, "SMS_PAUSED", 503),
            (Code::ResourceExhausted, "OVERLOADED", 503),
            (Code::FailedPrecondition, "OWN_REFERRAL", 422),
            // The client can fetch another captcha at once.
            (Code::InvalidArgument, "CAPTCHA_EXPIRED", 400),
        ] {
            let refusal =
                Refusal::from(Fault { reason: reason.into(), ..Fault::new(code, "INTERNAL") });
            assert_eq!(refusal.status.as_u16(), status, "{reason}");
        }
    }

    #[test]
    fn retry_after_is_rounded_up() {
        for (wait, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_999, 60)] {
            assert_eq!(whole_seconds(Duration::from_millis(wait)), seconds, "{wait}");
        }
    }
}
