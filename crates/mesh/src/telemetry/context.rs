//! A trace that outlives its call: stored in a row, and continued by the work that the
//! row causes (W3C Trace Context).

use std::collections::HashMap;

use opentelemetry::{Context, global, trace::TraceContextExt};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const TRACEPARENT: &str = "traceparent";

/// The current trace as a `traceparent`, to be stored with work for later.
pub fn traceparent() -> Option<String> {
    let mut carrier = HashMap::new();
    let context = Context::current();
    global::get_text_map_propagator(|propagator| propagator.inject_context(&context, &mut carrier));
    carrier.remove(TRACEPARENT)
}

/// Returns the span that a `traceparent` names; an invalid span if the text is not a `traceparent`.
fn parse(traceparent: &str) -> Context {
    let carrier = HashMap::from([(TRACEPARENT.to_owned(), traceparent.to_owned())]);
    // Extracts into an empty context, because for a text that is not a `traceparent` the propagator
    // returns the context that it was given.
    global::get_text_map_propagator(|propagator| {
        propagator.extract_with_context(&Context::new(), &carrier)
    })
}

/// Makes `span`, which is an [`entry_span!`](crate::entry_span), continue a stored trace.
/// With a text that is not a `traceparent` the span is the root of a new trace.
pub fn continue_from(span: &Span, traceparent: Option<&str>) {
    let Some(traceparent) = traceparent else {
        return;
    };
    // Fails only where no trace layer is installed.
    let _ = span.set_parent(parse(traceparent));
}

/// Links `span` to the span that a caller from outside names, whose trace is not ours to
/// continue. A text that is not a `traceparent` is ignored.
pub fn link(span: &Span, traceparent: &str) {
    let cause = parse(traceparent).span().span_context().clone();
    if cause.is_valid() {
        span.add_link(cause);
    }
}

/// Like [`continue_from`], with a link to the current span: work that belongs to one trace
/// and was caused by another.
pub fn continue_linked(span: &Span, traceparent: Option<&str>) {
    continue_from(span, traceparent);
    let cause = Context::current();
    let cause = cause.span().span_context().clone();
    if cause.is_valid() {
        span.add_link(cause);
    }
}

/// The current trace id, as 32 hex digits.
pub fn trace_id() -> Option<String> {
    let context = Context::current();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| span.trace_id().to_string())
}
