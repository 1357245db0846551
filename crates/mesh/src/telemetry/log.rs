//! Logs as JSON lines, each with the id of the trace it belongs to.

use std::{fmt, io::Write, sync::OnceLock};

use opentelemetry::trace::TraceContextExt;
use serde_json::{Map, Value, json};
use time::format_description::well_known::Rfc3339;
use tracing::{
    Dispatch, Event, Subscriber,
    dispatcher::WeakDispatch,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};
use types::Clock;

/// Writes each event to standard output as one line. Its own layer, because the
/// stock formatter cannot know the trace: that lives in the layer beside it and
/// is reached through the dispatch.
pub(super) struct LogLayer {
    service: &'static str,
    clock: Clock,
    dispatch: OnceLock<WeakDispatch>,
}

impl LogLayer {
    pub(super) fn new(service: &'static str) -> Self {
        Self { service, clock: Clock::system(), dispatch: OnceLock::new() }
    }

    fn trace_id<S>(&self, event: &Event<'_>, cx: &Context<'_, S>) -> Option<String>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let span = cx.event_span(event)?;
        let dispatch = self.dispatch.get()?.upgrade()?;
        let context = tracing_opentelemetry::get_otel_context(&span.id(), &dispatch)?;
        let span = context.span();
        let span = span.span_context();
        span.is_valid().then(|| span.trace_id().to_string())
    }
}

impl<S> Layer<S> for LogLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_register_dispatch(&self, dispatch: &Dispatch) {
        let _ = self.dispatch.set(dispatch.downgrade());
    }

    fn on_event(&self, event: &Event<'_>, cx: Context<'_, S>) {
        let meta = event.metadata();
        let mut line = Map::new();
        let at = self.clock.now().format(&Rfc3339).unwrap_or_default();
        line.insert("at".into(), at.into());
        line.insert("level".into(), meta.level().as_str().into());
        line.insert("service".into(), self.service.into());
        line.insert("target".into(), meta.target().into());
        if let Some(id) = self.trace_id(event, &cx) {
            line.insert("trace_id".into(), id.into());
        }
        if let Some(span) = cx.event_span(event) {
            line.insert("span".into(), span.name().into());
        }
        event.record(&mut Fields(&mut line));
        let mut text = Value::Object(line).to_string();
        text.push('\n');
        // A log that cannot be written has nowhere to say so.
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
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
