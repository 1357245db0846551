//! Inbound calls: traced, authenticated, counted, and ended at their deadline.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, PoisonError, RwLock},
    task::{Context, Poll},
    time::Duration,
};

use anyhow::Context as _;
use futures_util::future::BoxFuture;
use http::{HeaderMap, Request, Response, header::AUTHORIZATION};
use metrics::{Counter, Histogram, counter, histogram};
use tokio::{
    net::TcpListener,
    time::{Instant, timeout_at},
};
use tonic::{
    Code, Status,
    body::Body,
    service::Routes,
    transport::{Server, server::TcpIncoming},
};
use tonic_health::{ServingStatus, server::HealthReporter};
use tonic_tracing_opentelemetry::middleware::{filters, server::OtelGrpcLayer};
use tower::{Layer, Service};
use tracing::{error, warn};

use crate::{
    Fault, Readiness, Shutdown,
    auth::Verifier,
    call::{Call, DEFAULT_LIMIT, parse_timeout},
};

/// How often readiness is checked.
const READINESS_INTERVAL: Duration = Duration::from_secs(2);
/// Longest that a readiness check may take: a database host that vanished does not
/// answer.
const READINESS_LIMIT: Duration = Duration::from_secs(2);
/// Calls in flight on one connection; a caller with more waits.
const CONCURRENCY_PER_CONNECTION: usize = 512;
/// HTTP/2 streams on one connection. The gateway has one connection for all its players,
/// so the usual 200 would allow 200 live streams.
const STREAMS_PER_CONNECTION: u32 = 20_000;
/// HTTP/2 flow-control window of a connection, in bytes.
const CONNECTION_WINDOW: u32 = 4 << 20;

/// Wraps a service's routes in the layers that every call passes.
pub fn guarded(routes: Routes, verifier: Verifier) -> Routes {
    let layer = CallLayer { verifier, methods: Arc::default() };
    Routes::from(routes.prepare().into_axum_router().layer(layer))
}

pub(crate) async fn serve(
    listener: TcpListener,
    routes: Routes,
    ready: Readiness,
    shutdown: &Shutdown,
) -> anyhow::Result<()> {
    let (reporter, health) = tonic_health::server::health_reporter();
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(proto::DESCRIPTOR)
        .build_v1()
        .context("the descriptor set cannot be decoded")?;
    reporter.set_service_status("", ServingStatus::NotServing).await;
    report_readiness(reporter, ready, shutdown);

    let (stopping, process) = (shutdown.stopping_owned(), shutdown.clone());
    // Set here, because the server's option has no effect on a listener that it did not
    // open; without it small replies wait for the peer's acknowledgement.
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let server = Server::builder()
        .http2_keepalive_interval(Some(Duration::from_secs(20)))
        .max_concurrent_streams(STREAMS_PER_CONNECTION)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .concurrency_limit_per_connection(CONCURRENCY_PER_CONNECTION)
        .layer(OtelGrpcLayer::default().filter(filters::reject_healthcheck))
        .add_routes(routes)
        .add_service(health)
        .add_service(reflection)
        .serve_with_incoming_shutdown(incoming, stopping);
    shutdown.spawn("grpc", async move {
        let ended = server.await;
        if !process.is_stopping() {
            // A service that does not listen must not go on looking healthy.
            error!(?ended, "the gRPC server ended");
            process.fail();
        }
    });
    Ok(())
}

/// Keeps the health service at the result of the last check.
fn report_readiness(reporter: HealthReporter, ready: Readiness, shutdown: &Shutdown) {
    let stop = shutdown.clone();
    shutdown.spawn("readiness", async move {
        loop {
            let checked = tokio::time::timeout(READINESS_LIMIT, ready()).await;
            let serving = match checked.unwrap_or_else(|_| Err(anyhow::anyhow!("no answer"))) {
                Ok(()) => ServingStatus::Serving,
                Err(error) => {
                    warn!(error = format!("{error:#}"), "not ready");
                    ServingStatus::NotServing
                }
            };
            reporter.set_service_status("", serving).await;
            tokio::select! {
                () = tokio::time::sleep(READINESS_INTERVAL) => {}
                () = stop.stopping() => break,
            }
        }
        reporter.set_service_status("", ServingStatus::NotServing).await;
    });
}

#[derive(Clone)]
struct CallLayer {
    verifier: Verifier,
    methods: Arc<Methods>,
}

impl<S> Layer<S> for CallLayer {
    type Service = CallService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        CallService { inner, verifier: self.verifier.clone(), methods: Arc::clone(&self.methods) }
    }
}

/// Verifies the token, ends the call at its deadline, records the outcome.
#[derive(Clone)]
struct CallService<S> {
    inner: S,
    verifier: Verifier,
    methods: Arc<Methods>,
}

impl<S, B> Service<Request<B>> for CallService<S>
where
    S: Service<Request<B>, Response = Response<axum::body::Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response<axum::body::Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let fresh = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, fresh);
        let (verifier, methods) = (self.verifier.clone(), Arc::clone(&self.methods));
        Box::pin(async move {
            let started = Instant::now();
            // Cloning a URI copies no text.
            let uri = request.uri().clone();
            let call = call_of(request.headers());
            let deadline = call.deadline;
            let work = call.run(async move {
                let authorization = request.headers().get(AUTHORIZATION);
                let authorization = authorization.and_then(|value| value.to_str().ok());
                let caller = verifier.verify(authorization).await;
                request.extensions_mut().insert(caller);
                inner.call(request).await
            });
            let response = match timeout_at(deadline, work).await {
                Ok(response) => response?,
                Err(_) => Status::from(Fault::deadline_exceeded())
                    .into_http::<Body>()
                    .map(axum::body::Body::new),
            };
            methods.record(uri.path(), response.headers(), started);
            Ok(response)
        })
    }
}

fn call_of(headers: &HeaderMap) -> Call {
    let limit = headers
        .get("grpc-timeout")
        .and_then(|value| value.to_str().ok())
        .and_then(parse_timeout)
        .unwrap_or(DEFAULT_LIMIT);
    Call::new(limit, headers.get(AUTHORIZATION))
}

/// Rate, errors and duration of each method. Handles are resolved once for each method
/// and code; there are as many as the contract has.
#[derive(Default)]
struct Methods(RwLock<HashMap<String, Handles>>);

#[derive(Clone)]
struct Handles {
    duration: Histogram,
    /// By code.
    calls: Vec<(Code, Counter)>,
}

impl Methods {
    /// A refusal is a reply of trailers only, so its code is in the headers. How a stream
    /// ends is not seen here.
    fn record(&self, path: &str, headers: &HeaderMap, started: Instant) {
        let code =
            headers.get("grpc-status").map_or(Code::Ok, |value| Code::from_bytes(value.as_bytes()));
        // An unknown path is the caller's choice, and must not become a label.
        let method = if code == Code::Unimplemented { "unknown" } else { path };
        let elapsed = started.elapsed().as_secs_f64();
        {
            let methods = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(handles) = methods.get(method)
                && let Some((_, calls)) = handles.calls.iter().find(|(known, _)| *known == code)
            {
                handles.duration.record(elapsed);
                calls.increment(1);
                return;
            }
        }
        let mut methods = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let handles = methods.entry(method.to_owned()).or_insert_with(|| Handles {
            duration: histogram!("rpc_server_duration_seconds", "method" => method.to_owned()),
            calls: Vec::new(),
        });
        let labels = [("method", method.to_owned()), ("code", format!("{code:?}"))];
        let calls = counter!("rpc_server_calls_total", &labels);
        handles.duration.record(elapsed);
        calls.increment(1);
        handles.calls.push((code, calls));
    }
}
