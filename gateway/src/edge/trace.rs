//! One span a request, and its trace's id on every reply.
//!
//! Ours instead of the stock layer of axum-tracing-opentelemetry, because that
//! one writes the whole path into the span, and a callback's path is a secret.

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue};
use mesh::telemetry::{continue_from, trace_id};
use tracing::{Instrument, field::Empty, info_span};

use super::{label, method_label};

/// The id under which the trace can be found, as 32 hex digits.
pub const TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");

/// Goes on with the caller's trace (W3C Trace Context), if that is being recorded,
/// or begins one.
///
/// Who sends "not sampled" would otherwise be in no trace at all, and the id on
/// the reply would name one that nobody has.
pub async fn follow(request: Request, next: Next) -> Response {
    let route = label(&request);
    let method = method_label(request.method());
    let span = info_span!(
        "http",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        otel.status_code = Empty,
        player.id = Empty,
    );
    let traceparent = request.headers().get("traceparent");
    let traceparent = traceparent.and_then(|value| value.to_str().ok());
    continue_from(&span, traceparent.filter(|text| is_sampled(text)));
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

/// Whether a `traceparent` (`version-trace-parent-flags`) has the lowest of its
/// flags set.
fn is_sampled(traceparent: &str) -> bool {
    let flags = traceparent.split('-').nth(3);
    flags.and_then(|flags| u8::from_str_radix(flags, 16).ok()).is_some_and(|flags| flags & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_flag_says_that_it_is_recorded() {
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
