//! The spans that were recorded, for tests of traces.

use std::sync::OnceLock;

use opentelemetry::trace::SpanId;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};

/// Every span that ended in this process.
pub struct Spans {
    exporter: InMemorySpanExporter,
}

/// Starts keeping spans, once a process. Tests share the store; each finds its own spans
/// by trace id.
pub fn spans() -> &'static Spans {
    static SPANS: OnceLock<Spans> = OnceLock::new();
    SPANS.get_or_init(|| {
        let exporter = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
        mesh::telemetry::install("test", &provider).expect("telemetry starts once");
        Spans { exporter }
    })
}

impl Spans {
    /// The finished spans of a trace, by its id of 32 hex digits.
    pub fn of_trace(&self, trace_id: &str) -> Vec<SpanData> {
        let all = self.exporter.get_finished_spans().expect("the store");
        all.into_iter().filter(|s| s.span_context.trace_id().to_string() == trace_id).collect()
    }

    /// The names of a span and its ancestors: `["db.payment.insert", "wallet.top_up", …]`.
    pub fn ancestry(&self, trace_id: &str, name: &str) -> Vec<String> {
        let spans = self.of_trace(trace_id);
        let mut names = Vec::new();
        let mut at = spans.iter().find(|span| span.name == name);
        while let Some(span) = at {
            names.push(span.name.to_string());
            at = match span.parent_span_id {
                SpanId::INVALID => None,
                parent => spans.iter().find(|span| span.span_context.span_id() == parent),
            };
        }
        names
    }
}
