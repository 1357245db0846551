//! Logs as JSON lines, each with the id of the trace it belongs to.

use std::{fmt, io::Write};

use opentelemetry::trace::TraceContextExt;
use serde_json::{Map, Value, json};
use time::format_description::well_known::Rfc3339;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, fmt::MakeWriter, layer::Context, registry::LookupSpan};
use types::Clock;

/// Writes each event as one line. A layer of our own, because the formatter of
/// tracing-subscriber cannot add the trace id.
pub(super) struct LogLayer<W> {
    service: &'static str,
    clock: Clock,
    writer: W,
}

impl<W> LogLayer<W> {
    pub(super) fn new(service: &'static str, writer: W) -> Self {
        Self { service, clock: Clock::system(), writer }
    }
}

/// The current trace id. It comes from OpenTelemetry's context and not from the span that this
/// layer sees: the spans of the RPC layers have level TRACE, which the log filter drops.
fn trace_id() -> Option<String> {
    let context = opentelemetry::Context::current();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| span.trace_id().to_string())
}

impl<S, W> Layer<S> for LogLayer<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    fn on_event(&self, event: &Event<'_>, cx: Context<'_, S>) {
        let meta = event.metadata();
        let mut line = Map::new();
        let timestamp = self.clock.now().format(&Rfc3339).unwrap_or_default();
        line.insert("timestamp".into(), timestamp.into());
        line.insert("level".into(), meta.level().as_str().into());
        line.insert("service".into(), self.service.into());
        line.insert("target".into(), meta.target().into());
        if let Some(id) = trace_id() {
            line.insert("trace_id".into(), id.into());
        }
        if let Some(span) = cx.event_span(event) {
            line.insert("span".into(), span.name().into());
        }
        event.record(&mut Fields(&mut line));
        let mut text = Value::Object(line).to_string();
        text.push('\n');
        // A failure to write the log cannot be logged.
        let _ = self.writer.make_writer().write_all(text.as_bytes());
    }
}

struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    fn put(&mut self, field: &Field, value: Value) {
        self.0.insert(field.name().to_owned(), value);
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, json!(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}").into());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing_subscriber::{EnvFilter, layer::SubscriberExt};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn log(work: impl FnOnce()) -> Vec<Value> {
        let lines = Lines::default();
        let writer = lines.clone();
        let provider = SdkTracerProvider::builder().build();
        let traces = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("test"))
            .with_filter(EnvFilter::new(super::super::TRACE_FILTER));
        let logs =
            LogLayer::new("svc-test", move || writer.clone()).with_filter(EnvFilter::new("info"));
        let subscriber = tracing_subscriber::registry().with(traces).with(logs);
        tracing::subscriber::with_default(subscriber, work);
        let bytes = lines.0.lock().unwrap().clone();
        String::from_utf8(bytes)
            .unwrap()
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect()
    }

    #[test]
    fn a_line_has_its_trace_id_even_in_a_span_that_the_log_filter_drops() {
        let lines = log(|| {
            let rpc = tracing::trace_span!(target: "otel::tracing", "rpc");
            rpc.in_scope(|| tracing::error!(code = 7, "failed"));
        });
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0]["trace_id"].as_str().map(str::len), Some(32));
        assert_eq!((&lines[0]["message"], &lines[0]["code"]), (&json!("failed"), &json!(7)));
    }

    #[test]
    fn a_line_outside_any_trace_has_no_trace_id() {
        let lines = log(|| tracing::info!("started"));
        assert_eq!(lines[0].get("trace_id"), None);
        assert_eq!(lines[0]["service"], "svc-test");
    }
}
