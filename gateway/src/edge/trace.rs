//! Creates one span per call, and puts the id of its trace on every reply.
//!
//! The layer of axum-tracing-opentelemetry is not used, because it writes the whole path into the
//! span, and a callback's path contains a secret.

use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};
use mesh::{
    entry_span,
    telemetry::{link, trace_id},
};
use tracing::{Span, field::Empty};

use super::endpoints::Endpoint;

/// The trace id, as 32 hex digits.
const TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");

/// The span of a call: always the root of a new trace, whose id is ours. A caller from
/// outside may name its own span in a `traceparent` (W3C Trace Context). To continue that
/// trace would let it decide what is sampled, and put spans of many players into one trace;
/// so it becomes a link.
pub(super) fn span(endpoint: &Endpoint, headers: &HeaderMap) -> Span {
    let span = entry_span!(
        parent: None,
        "http",
        otel.name = endpoint.span_name,
        otel.kind = "server",
        http.request.method = endpoint.method,
        http.route = endpoint.path,
        http.response.status_code = Empty,
        otel.status_code = Empty,
        player.id = Empty,
    );
    let named = headers.get("traceparent").and_then(|value| value.to_str().ok());
    if let Some(traceparent) = named {
        link(&span, traceparent);
    }
    span
}

/// Records the reply's status in the span, and the trace's id in the reply.
pub(super) fn finish(span: &Span, response: &mut Response) {
    let status = response.status();
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    if let Some(id) = span.in_scope(trace_id)
        && let Ok(id) = HeaderValue::try_from(id)
    {
        response.headers_mut().insert(TRACE_ID, id);
    }
}
