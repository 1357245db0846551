//! An OTLP collector, in the place of Jaeger: it keeps the spans of the mesh in
//! memory.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError, mpsc},
    thread,
    time::Duration,
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::{KeyValue, any_value},
    resource::v1::Resource,
    trace::v1::{Span as WireSpan, span, status::StatusCode},
};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, transport::Server};

use crate::env;

/// The spans received so far.
#[derive(Default)]
pub struct Collector {
    spans: Mutex<Vec<Span>>,
}

/// A span that has ended.
#[derive(Debug, Clone)]
pub struct Span {
    /// The `service.name` of the process it was made in.
    pub service: String,
    /// The span's name.
    pub name: String,
    /// 32 hex digits.
    pub trace_id: String,
    /// Spans of other traces that this one links to.
    pub links: Vec<Link>,
    /// All text of the span: name, trace state, status message, and the keys and values of its
    /// attributes, events and links.
    pub texts: Vec<String>,
    /// Whether the span's status is an error.
    pub failed: bool,
    /// Nanoseconds since 1970.
    pub start: u64,
    /// Nanoseconds since 1970.
    pub end: u64,
    pub(crate) id: Vec<u8>,
    pub(crate) parent: Vec<u8>,
}

/// A reference to another span, usually of another trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// 32 hex digits.
    pub trace_id: String,
    span: Vec<u8>,
}

/// The collector of this process. The first call binds it to `PLAYON_OTLP_LISTEN`,
/// to which the mesh sends. Under a test runner with a process per test, a later
/// process waits until the earlier one has released the address.
pub fn collector() -> &'static Collector {
    static COLLECTOR: OnceLock<&'static Collector> = OnceLock::new();
    COLLECTOR.get_or_init(|| {
        let address = env("PLAYON_OTLP_LISTEN").parse().expect("PLAYON_OTLP_LISTEN is an address");
        let collector: &'static Collector = Box::leak(Box::default());
        let (opened, wait) = mpsc::channel();
        // The collector has its own thread and runtime, so that it outlives the test that starts
        // it.
        thread::spawn(move || serve(collector, address, &opened));
        wait.recv().expect("the collector opens");
        collector
    })
}

impl Collector {
    /// All spans received so far.
    pub fn all(&self) -> Vec<Span> {
        self.lock().clone()
    }

    /// The spans of one trace received so far.
    pub fn trace(&self, trace_id: &str) -> Vec<Span> {
        self.lock().iter().filter(|span| span.trace_id == trace_id).cloned().collect()
    }

    /// The path from the first span of that name up to the trace's root, each as
    /// "service name". Empty while that span or one of its ancestors is missing.
    pub fn ancestry(&self, trace_id: &str, name: &str) -> Vec<String> {
        let spans = self.trace(trace_id);
        let mut names = Vec::new();
        let mut at = spans.iter().find(|span| span.name == name);
        while let Some(span) = at {
            names.push(format!("{} {}", span.service, span.name));
            if span.parent.is_empty() {
                return names;
            }
            at = spans.iter().find(|parent| parent.id == span.parent);
        }
        Vec::new()
    }

    /// The calls between processes: the caller's `service.name`, and the callee's span.
    pub fn calls(&self) -> Vec<(String, Span)> {
        let spans = self.all();
        let by_id: HashMap<&[u8], &Span> =
            spans.iter().map(|span| (span.id.as_slice(), span)).collect();
        let call = |span: &Span| {
            let caller = by_id.get(span.parent.as_slice())?;
            (caller.service != span.service).then(|| (caller.service.clone(), span.clone()))
        };
        spans.iter().filter_map(call).collect()
    }

    /// The span that a link refers to.
    pub fn linked(&self, link: &Link) -> Option<Span> {
        let is_it = |span: &&Span| span.trace_id == link.trace_id && span.id == link.span;
        self.lock().iter().find(is_it).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Span>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[tonic::async_trait]
impl TraceService for &'static Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for sent in request.into_inner().resource_spans {
            let service = service_name(sent.resource.as_ref());
            let spans = sent.scope_spans.into_iter().flat_map(|scope| scope.spans);
            self.lock().extend(spans.map(|span| Span::new(&service, span)));
        }
        Ok(Response::new(ExportTraceServiceResponse { partial_success: None }))
    }
}

impl Span {
    fn new(service: &str, span: WireSpan) -> Self {
        let failed = span.status.as_ref().is_some_and(|status| status.code() == StatusCode::Error);
        let mut texts = vec![span.name.clone(), span.trace_state];
        texts.extend(span.status.map(|status| status.message));
        texts.extend(attribute_texts(&span.attributes));
        for event in &span.events {
            texts.push(event.name.clone());
            texts.extend(attribute_texts(&event.attributes));
        }
        texts.extend(span.links.iter().flat_map(|link| attribute_texts(&link.attributes)));
        Self {
            service: service.to_owned(),
            name: span.name,
            trace_id: hex(&span.trace_id),
            links: span.links.into_iter().map(Link::from).collect(),
            texts,
            failed,
            start: span.start_time_unix_nano,
            end: span.end_time_unix_nano,
            id: span.span_id,
            parent: span.parent_span_id,
        }
    }
}

impl From<span::Link> for Link {
    fn from(link: span::Link) -> Self {
        Self { trace_id: hex(&link.trace_id), span: link.span_id }
    }
}

fn serve(collector: &'static Collector, address: SocketAddr, opened: &mpsc::Sender<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let listener = listen(address).await;
        opened.send(()).expect("the test waits for the collector");
        let served = Server::builder()
            .add_service(TraceServiceServer::new(collector))
            .serve_with_incoming(TcpListenerStream::new(listener));
        served.await.expect("the collector runs");
    });
}

async fn listen(address: SocketAddr) -> TcpListener {
    crate::within(Duration::from_mins(2), "PLAYON_OTLP_LISTEN is free", || async {
        TcpListener::bind(address).await.ok()
    })
    .await
}

fn service_name(resource: Option<&Resource>) -> String {
    let attributes = resource.map_or(&[][..], |resource| &resource.attributes);
    let name = attributes.iter().find(|attribute| attribute.key == "service.name");
    name.and_then(|name| value(name).into_iter().next()).unwrap_or_default()
}

/// The keys and values of attributes.
fn attribute_texts(attributes: &[KeyValue]) -> Vec<String> {
    let pair = |attribute: &KeyValue| {
        let mut texts = value(attribute);
        texts.push(attribute.key.clone());
        texts
    };
    attributes.iter().flat_map(pair).collect()
}

/// A value as text. Numbers, booleans, lists and maps in their debug form, which
/// contains every nested value.
fn value(attribute: &KeyValue) -> Vec<String> {
    let value = attribute.value.as_ref().and_then(|value| value.value.as_ref());
    match value {
        None => Vec::new(),
        Some(any_value::Value::StringValue(text)) => vec![text.clone()],
        Some(any_value::Value::BytesValue(bytes)) => {
            vec![String::from_utf8_lossy(bytes).into_owned()]
        }
        Some(other) => vec![format!("{other:?}")],
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
