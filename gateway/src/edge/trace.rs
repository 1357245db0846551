//! One span a request, and its trace's id on every reply.
//!
//! Ours instead of the stock layer of axum-tracing-opentelemetry, because that
//! one writes the whole path into the span, and a callback's path is a secret.

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue};
use mesh::telemetry::{continue_from, trace_id};
use tracing::{Instrument, field::Empty, info_span};

use super::label;

/// The id under which the trace can be found, as 32 hex digits.
pub const TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");

/// Goes on with the caller's trace (W3C Trace Context) or begins one.
pub async fn follow(request: Request, next: Next) -> Response {
    let route = label(&request);
    let method = request.method();
    let span = info_span!(
        "http",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = %method,
        http.route = route,
        http.response.status_code = Empty,
        otel.status_code = Empty,
        player.id = Empty,
    );
    let traceparent = request.headers().get("traceparent");
    continue_from(&span, traceparent.and_then(|value| value.to_str().ok()));
    let mut response = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", i64::from(response.status().as_u16()));
    if response.status().is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    if let Some(id) = span.in_scope(trace_id)
        && let Ok(id) = HeaderValue::from_str(&id)
    {
        response.headers_mut().insert(TRACE_ID, id);
    }
    response
}
