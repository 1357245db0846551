//! Calls that come in: traced, counted, judged, and ended when their time is up.

use std::{
    convert::Infallible,
    task::{Context, Poll},
    time::Duration,
};

use anyhow::Context as _;
use futures_util::future::BoxFuture;
use http::{HeaderMap, Request, Response, header::AUTHORIZATION};
use metrics::{counter, histogram};
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
use types::SecretString;

use crate::{
    Fault, Readiness, Shutdown,
    auth::{Verifier, bearer},
    call::{Call, DEFAULT_LIMIT, parse_timeout},
};

/// How often a service asks itself whether it can do its work.
const READINESS_INTERVAL: Duration = Duration::from_secs(2);
/// Longest that it waits for its own answer: a database that vanished says
/// nothing at all.
const READINESS_LIMIT: Duration = Duration::from_secs(2);
/// Calls that wait for their reply on one connection; a neighbour with more
/// waits to ask.
const CONCURRENCY_PER_CONNECTION: usize = 512;
/// Calls and live streams open on one connection. A neighbour has one connection
/// for all its players, so HTTP/2's usual 200 would stop it at 200 watchers.
const STREAMS_PER_CONNECTION: u32 = 20_000;
/// Bytes under way on one connection before its reader must have kept up.
const CONNECTION_WINDOW: u32 = 4 << 20;

/// Wraps a service's routes in the layers that judge and time each call.
pub fn guarded(routes: Routes, verifier: Verifier) -> Routes {
    Routes::from(routes.prepare().into_axum_router().layer(GuardLayer { verifier }))
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
        .context("the descriptor set cannot be read")?;
    reporter.set_service_status("", ServingStatus::NotServing).await;
    report_readiness(reporter, ready, shutdown);

    let (stopping, whole) = (shutdown.stopping_owned(), shutdown.clone());
    // Set here, because the server's own option does nothing for a listener that it
    // did not open; without it small replies wait for the peer's acknowledgement.
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
        if !whole.is_stopping() {
            // A service without a door must not go on looking alive.
            error!(?ended, "the grpc server ended by itself");
            whole.fail();
        }
    });
    Ok(())
}

/// Keeps the health service true: what it says is what was last tried.
fn report_readiness(reporter: HealthReporter, ready: Readiness, shutdown: &Shutdown) {
    let stop = shutdown.clone();
    shutdown.spawn("readiness", async move {
        loop {
            let tried = tokio::time::timeout(READINESS_LIMIT, ready()).await;
            let serving = match tried.unwrap_or_else(|_| Err(anyhow::anyhow!("no answer"))) {
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
struct GuardLayer {
    verifier: Verifier,
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guard<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Guard { inner, verifier: self.verifier.clone() }
    }
}

/// Judges the token, keeps the deadline, counts the outcome.
#[derive(Clone)]
struct Guard<S> {
    inner: S,
    verifier: Verifier,
}

impl<S, B> Service<Request<B>> for Guard<S>
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
        let verifier = self.verifier.clone();
        Box::pin(async move {
            let started = Instant::now();
            let method = request.uri().path().to_owned();
            let call = call_of(request.headers());
            let deadline = call.deadline;
            let work = call.run(async move {
                let caller = verifier.judge(authorization(request.headers())).await;
                request.extensions_mut().insert(caller);
                inner.call(request).await
            });
            let response = match timeout_at(deadline, work).await {
                Ok(response) => response?,
                Err(_) => Status::from(Fault::deadline_exceeded())
                    .into_http::<Body>()
                    .map(axum::body::Body::new),
            };
            record(method, response.headers(), started);
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
    let token = authorization(headers).and_then(bearer).map(SecretString::from);
    Call::new(limit, token)
}

fn authorization(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok())
}

/// Rate, errors, duration. A refusal comes as a reply of trailers alone, so its
/// code stands in the headers; a stream that breaks later is not seen here.
fn record(method: String, headers: &HeaderMap, started: Instant) {
    let code =
        headers.get("grpc-status").map_or(Code::Ok, |value| Code::from_bytes(value.as_bytes()));
    // A path that is no method is the caller's invention, and no label.
    let method = if code == Code::Unimplemented { "unknown".to_owned() } else { method };
    histogram!("rpc_server_duration_seconds", "method" => method.clone())
        .record(started.elapsed().as_secs_f64());
    counter!("rpc_server_calls_total", "method" => method, "code" => format!("{code:?}"))
        .increment(1);
}
