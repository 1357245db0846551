//! Calls from other origins (CORS): a game sends its scores from its own origin, and a page that
//! anybody hosts reads the proof of a tournament's result.
//!
//! Every origin may call, because the ticket in the body authorises the call, or none is needed: a
//! browser adds no credential of ours to it.

use axum::response::{IntoResponse as _, Response};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    },
};

/// Lets the page that made the call read the reply.
pub(super) fn add(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let exposed = HeaderValue::from_static("retry-after, x-trace-id");
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
}

/// The reply to a preflight request; browsers keep it for a day.
pub(super) fn preflight() -> Response {
    let allowed = [
        (ACCESS_CONTROL_ALLOW_METHODS, "POST"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "content-type, accept-language"),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, allowed).into_response()
}
