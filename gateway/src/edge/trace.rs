//! One span a call, and the id of its trace on every reply.
//!
//! Not the layer of axum-tracing-opentelemetry: it writes the whole path into the span,
//! and a callback's path contains a secret.

use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};
use mesh::{
    entry_span,
    telemetry::{continue_from, trace_id},
};
use tracing::{Span, field::Empty};

use super::endpoints::Endpoint;

/// The trace id, as 32 hex digits.
const TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");

/// The span of a call. It continues the caller's trace (W3C Trace Context) if that is
/// sampled, and is the root of a new one otherwise: without this rule a caller that sends
/// "not sampled" would be in no trace, and the id on the reply would name none.
pub(super) fn span(endpoint: &Endpoint, headers: &HeaderMap) -> Span {
    let span = entry_span!(
        "http",
        otel.name = endpoint.span_name,
        otel.kind = "server",
        http.request.method = endpoint.method,
        http.route = endpoint.path,
        http.response.status_code = Empty,
        otel.status_code = Empty,
        player.id = Empty,
    );
    let traceparent = headers.get("traceparent").and_then(|value| value.to_str().ok());
    continue_from(&span, traceparent.filter(|text| is_sampled(text)));
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

/// Whether the lowest flag of a `traceparent` (`version-trace-parent-flags`) is set.
fn is_sampled(traceparent: &str) -> bool {
    let flags = traceparent.split('-').nth(3);
    flags.and_then(|flags| u8::from_str_radix(flags, 16).ok()).is_some_and(|flags| flags & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_flag_says_that_a_trace_is_sampled() {
        const IDS: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331";
        for (flags, sampled) in [
            ("-01", true),
            ("-03", true),
            ("-00", false),
            ("-02", false),
            ("-zz", false),
            ("", false),
        ] {
            assert_eq!(is_sampled(&format!("{IDS}{flags}")), sampled, "{flags}");
        }
    }
}
