//! Which spans are exported: those of sampled traces, and every span that failed.
//!
//! The root of a trace is sampled by its trace id, and everything below it follows, in
//! every process (`parentbased_traceidratio` of the OpenTelemetry specification). Spans
//! of other traces are recorded too, because a failure is known only when a span ends:
//! then a failed one is exported and the rest are dropped. Recording costs a few
//! allocations a span; what is saved is the sending and the storing.

use std::time::Duration;

use opentelemetry::{
    Context, KeyValue,
    trace::{Link, SpanContext, SpanKind, Status, TraceFlags, TraceId},
};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{
        Sampler, SamplingDecision, SamplingResult, ShouldSample, Span, SpanData, SpanProcessor,
        TracerProviderBuilder,
    },
};

/// Exports to `next` a share of all traces, and the failed spans of the others.
pub(super) fn sampled(
    builder: TracerProviderBuilder,
    ratio: f64,
    next: impl SpanProcessor + 'static,
) -> TracerProviderBuilder {
    let share = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(ratio)));
    builder.with_sampler(RecordAll(share)).with_span_processor(KeepFailed(next))
}

/// Records spans that another sampler drops. Their trace stays unsampled for the processes that are
/// called.
#[derive(Debug, Clone)]
struct RecordAll(Sampler);

impl ShouldSample for RecordAll {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let mut result = self.0.should_sample(parent, trace, name, kind, attributes, links);
        if result.decision == SamplingDecision::Drop {
            result.decision = SamplingDecision::RecordOnly;
        }
        result
    }
}

/// Passes on the spans of sampled traces, and failed spans of other traces as if those were
/// sampled.
#[derive(Debug)]
struct KeepFailed<P>(P);

impl<P: SpanProcessor> SpanProcessor for KeepFailed<P> {
    fn on_start(&self, span: &mut Span, cx: &Context) {
        self.0.on_start(span, cx);
    }

    fn on_end(&self, mut span: SpanData) {
        if !span.span_context.is_sampled() {
            if !matches!(span.status, Status::Error { .. }) {
                return;
            }
            // Processors and exporters ignore a span without the flag.
            span.span_context = with_sampled_flag(&span.span_context);
        }
        self.0.on_end(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn with_sampled_flag(context: &SpanContext) -> SpanContext {
    SpanContext::new(
        context.trace_id(),
        context.span_id(),
        context.trace_flags() | TraceFlags::SAMPLED,
        context.is_remote(),
        context.trace_state().clone(),
    )
}

#[cfg(test)]
mod tests {
    use opentelemetry::{global, trace::TracerProvider as _};
    use opentelemetry_sdk::{
        propagation::TraceContextPropagator,
        trace::{InMemorySpanExporter, SdkTracerProvider, SimpleSpanProcessor},
    };
    use tracing::Instrument as _;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;
    use crate::{
        Fault,
        call::Call,
        entry_span,
        telemetry::{continue_from, observe, traceparent},
    };

    /// The spans that `work` exports.
    fn exported(ratio: f64, work: impl Future) -> Vec<SpanData> {
        global::set_text_map_propagator(TraceContextPropagator::new());
        let exporter = InMemorySpanExporter::default();
        let next = SimpleSpanProcessor::new(exporter.clone());
        let provider = sampled(SdkTracerProvider::builder(), ratio, next).build();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
        let subscriber = tracing_subscriber::registry().with(layer);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        tracing::subscriber::with_default(subscriber, || runtime.block_on(work));
        exporter.get_finished_spans().unwrap()
    }

    fn names(spans: &[SpanData]) -> Vec<&str> {
        spans.iter().map(|span| &*span.name).collect()
    }

    /// A request with two statements, of which the second has this outcome.
    async fn request(outcome: Result<(), Fault>) {
        let statements = observe(async {
            observe(async { Ok::<(), Fault>(()) })
                .instrument(tracing::info_span!("first statement"))
                .await?;
            observe(async { outcome }).instrument(tracing::info_span!("second statement")).await
        });
        let _ = statements.instrument(entry_span!("request")).await;
    }

    #[test]
    fn a_failure_is_exported_with_the_path_to_it_although_its_trace_is_not_sampled() {
        let spans = exported(0.0, request(Err(Fault::unavailable())));
        assert_eq!(names(&spans), ["second statement", "request"]);
        assert_eq!(spans[0].parent_span_id, spans[1].span_context.span_id());
        assert!(spans.iter().all(|span| span.span_context.is_sampled()));
    }

    #[test]
    fn a_refusal_is_no_failure() {
        assert!(exported(0.0, request(Err(Fault::unauthenticated()))).is_empty());
        assert!(exported(0.0, request(Ok(()))).is_empty());
    }

    #[test]
    fn the_ratio_decides_by_the_trace_and_all_its_spans_follow() {
        let spans = exported(1.0, request(Ok(())));
        assert_eq!(names(&spans), ["first statement", "second statement", "request"]);
        let many = exported(0.5, async {
            for _ in 0..400 {
                request(Ok(())).await;
            }
        });
        let traces = many.len() / 3;
        assert_eq!(traces * 3, many.len(), "a trace was sampled in part");
        assert!((100..300).contains(&traces), "{traces} of 400");
    }

    #[test]
    fn an_unsampled_trace_stays_so_in_the_next_process_and_its_failures_are_exported_there() {
        let spans = exported(0.0, async {
            let here = entry_span!("here");
            let sent = here.in_scope(traceparent).unwrap();
            assert!(sent.ends_with("-00"), "{sent}");
            for outcome in [Ok(()), Err(Fault::unavailable())] {
                let there = entry_span!(parent: None, "there");
                continue_from(&there, Some(&sent));
                let _ = observe(async { outcome }).instrument(there).await;
            }
        });
        assert_eq!(names(&spans), ["there"]);
    }

    #[test]
    fn a_sampled_trace_is_sampled_whatever_the_ratio_of_the_next_process_is() {
        let spans = exported(0.0, async {
            let there = entry_span!("there");
            let sampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
            continue_from(&there, Some(sampled));
        });
        assert_eq!(names(&spans), ["there"]);
    }

    #[test]
    fn work_that_its_deadline_cut_off_has_failed_and_cancelled_work_has_not() {
        let spans = exported(0.0, async {
            let limit = Duration::from_secs(3);
            for cut_off_after in [limit, limit / 2] {
                let endless = observe(std::future::pending::<Result<(), Fault>>());
                let call = Call::new(limit, None).run(endless).instrument(entry_span!("statement"));
                let cut_off = tokio::time::timeout(cut_off_after, call).await;
                assert!(cut_off.is_err());
            }
        });
        assert_eq!(names(&spans), ["statement"]);
        assert_eq!(spans[0].status, Status::error("cut off at its deadline"));
    }
}
