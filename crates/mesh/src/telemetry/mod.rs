//! Telemetry of a process: traces by OTLP, metrics for Prometheus, logs as JSON lines
//! with the trace id. Span names are listed in `docs/telemetry.md`.

mod context;
mod log;
mod outcome;
mod sampling;

use std::sync::OnceLock;

use anyhow::Context as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry::{global, trace::TracerProvider};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{BatchSpanProcessor, Sampler, SdkTracerProvider, TracerProviderBuilder},
};
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt as _, filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use self::log::LogLayer;
pub use self::{
    context::{continue_from, continue_linked, link, trace_id, traceparent},
    outcome::{Failure, mark_failed, observe},
};

/// The spans of the propagation crates have this target and level TRACE; without them a
/// trace has no hops.
const TRACE_FILTER: &str = "info,otel::tracing=trace";

/// The target of spans at which a trace enters the process. Where nothing is recorded they
/// are the only spans, and give a trace its id; what happens below them costs nothing. A
/// span that continues a stored trace needs it (see [`entry_span!`](crate::entry_span)).
pub const ENTRY: &str = "playon::entry";

/// Enables entry spans only.
const ID_FILTER: &str = "off,playon::entry=info";

/// An `info_span!` at which a trace enters the process: a request, or work that a row
/// with a stored trace causes.
#[macro_export]
macro_rules! entry_span {
    ($($span:tt)*) => {
        ::tracing::info_span!(target: "playon::entry", $($span)*)
    };
}

/// Bounds of the latency histograms, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 15.0];

/// Bounds of the histogram of payments, in seconds. Queries that find a payment whose callback was
/// lost are sent after 20, 40, 75 and 120 s.
const PAYMENT_BUCKETS: [f64; 8] = [2.0, 5.0, 10.0, 20.0, 40.0, 80.0, 150.0, 600.0];

/// Bounds of the web vitals' histogram, in seconds. Among them are the bounds of a good value:
/// 0.1 and 0.2 (inputs), 0.8 (first byte), 1.8 (first paint), 2.5 (largest paint).
const VITAL_BUCKETS: [f64; 12] = [0.05, 0.1, 0.2, 0.5, 0.8, 1.2, 1.8, 2.5, 4.0, 6.0, 10.0, 20.0];

/// Bounds of the layout shifts' histogram, in thousandths; a good one is at most 100.
const SHIFT_BUCKETS: [f64; 5] = [10.0, 50.0, 100.0, 250.0, 1_000.0];

/// The traces of a process, which must be flushed before it exits.
pub struct Telemetry {
    provider: SdkTracerProvider,
}

/// Starts logs and traces for the whole process. Without an endpoint traces have ids,
/// which logs and `x-trace-id` need, and nothing is recorded. With one, `ratio` of the
/// traces that begin here are exported, and every span that failed.
pub fn start(
    service: &'static str,
    otlp_endpoint: Option<&str>,
    ratio: f64,
) -> anyhow::Result<Telemetry> {
    let resource = Resource::builder().with_service_name(service).build();
    let builder = SdkTracerProvider::builder().with_resource(resource);
    let provider = match otlp_endpoint {
        Some(endpoint) => {
            let exporter = SpanExporter::builder()
                .with_tonic()
                .with_endpoint(endpoint)
                .build()
                .context("the OTLP endpoint is not usable")?;
            let batches = BatchSpanProcessor::builder(exporter).build();
            sampling::sampled(builder, ratio, batches).build()
        }
        None => unrecorded(builder),
    };
    install_with(service, &provider, otlp_endpoint.is_some())?;
    Ok(Telemetry { provider })
}

/// Builds a provider that makes ids and records nothing.
fn unrecorded(builder: TracerProviderBuilder) -> SdkTracerProvider {
    builder.with_sampler(Sampler::AlwaysOff).build()
}

/// Installs `provider` for the process. Tests pass one that keeps spans in memory.
pub fn install(service: &'static str, provider: &SdkTracerProvider) -> anyhow::Result<()> {
    install_with(service, provider, true)
}

fn install_with(
    service: &'static str,
    provider: &SdkTracerProvider,
    recorded: bool,
) -> anyhow::Result<()> {
    global::set_text_map_propagator(TraceContextPropagator::new());
    let log_filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    // Log lines name their span. Without recording, spans are not made for this alone.
    let log_filter = log_filter.and(filter_fn(move |meta| recorded || meta.is_event()));
    let traces = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer(service))
        .with_filter(EnvFilter::new(if recorded { TRACE_FILTER } else { ID_FILTER }));
    tracing_subscriber::registry()
        .with(traces)
        .with(LogLayer::new(service, std::io::stdout).with_filter(log_filter))
        .try_init()
        .context("telemetry was started twice")?;
    metrics();
    Ok(())
}

impl Telemetry {
    /// Sends the spans that are left, on a blocking thread, because the SDK blocks.
    pub async fn flush(self) {
        let provider = self.provider;
        let sent = tokio::task::spawn_blocking(move || provider.shutdown()).await;
        if !matches!(sent, Ok(Ok(()))) {
            tracing::warn!("the last spans were not sent");
        }
    }
}

/// The process's recorder, installed at first use.
pub(crate) fn metrics() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)
                .and_then(|builder| {
                    let payments = Matcher::Full("payment_success_seconds".to_owned());
                    builder.set_buckets_for_metric(payments, &PAYMENT_BUCKETS)
                })
                .and_then(|builder| {
                    let vitals = Matcher::Full("web_vital_seconds".to_owned());
                    builder.set_buckets_for_metric(vitals, &VITAL_BUCKETS)
                })
                .and_then(|builder| {
                    let shifts = Matcher::Full("web_layout_shift_thousandths".to_owned());
                    builder.set_buckets_for_metric(shifts, &SHIFT_BUCKETS)
                })
                .and_then(PrometheusBuilder::install_recorder)
                .ok()
        })
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unrecorded_trace_has_one_id() {
        global::set_text_map_propagator(TraceContextPropagator::new());
        let provider = unrecorded(SdkTracerProvider::builder());
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("test"))
            .with_filter(EnvFilter::new(ID_FILTER));
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            let outer = crate::entry_span!("outer").entered();
            let id = trace_id().unwrap();
            let stored = traceparent().unwrap();
            let inner = tracing::info_span!("inner").entered();
            assert_eq!(traceparent().unwrap(), stored, "a second span would cost something");
            drop((inner, outer));
            assert_eq!(trace_id(), None);

            let delivery = crate::entry_span!("delivery");
            continue_from(&delivery, Some(&stored));
            assert_eq!(delivery.in_scope(trace_id), Some(id));
        });
    }
}
