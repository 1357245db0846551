//! The port of probes and metrics: HTTP/1, and HTTP/2 without TLS. It is not public, and
//! small limits keep a client that misbehaves from costing more than its connection.

use std::{net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use anyhow::Context as _;
use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::StatusCode,
    middleware::{Next, from_fn},
    response::{IntoResponse as _, Response},
    routing::get,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{sleep, timeout},
};
use tracing::{debug, warn};

use super::{health, readiness::Probes};
use crate::{Shutdown, telemetry};

/// Connections at the same time; one more is closed at once.
pub(super) const CONNECTIONS: usize = 64;
/// Calls at the same time on a connection of HTTP/2.
const STREAMS: u32 = 8;
/// The longest head of a request, in bytes.
const HEAD_LIMIT: u32 = 16 * 1024;
/// The longest body of a request, in bytes.
const BODY_LIMIT: usize = 4 * 1024;
/// Longest that the head of a request may take.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest that a call may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection is closed gracefully after this time, also one that is idle.
const CONNECTION_AGE: Duration = Duration::from_mins(5);
/// Longest that the graceful close of a connection may take.
const CLOSE_LIMIT: Duration = Duration::from_secs(10);
/// The pause after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How often the recorder's histograms are brought up to date.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(1);

impl Probes {
    /// Serves probes and metrics until `tasks` stop, and returns the address. `tasks` are not the
    /// tasks of the process, because a process that drains is still to be measured.
    pub async fn serve(self, addr: SocketAddr, tasks: &Shutdown) -> anyhow::Result<SocketAddr> {
        let metrics = telemetry::metrics().context("another metrics recorder is installed")?;
        let listener = TcpListener::bind(addr)
            .await
            .with_context(|| format!("cannot serve metrics on {addr}: is the port in use?"))?;
        let addr = listener.local_addr()?;
        let ready = self.clone();
        let router = Router::new()
            .route("/metrics", get(|| async { metrics.render() }))
            .route("/healthz", get(|| async { "alive\n" }))
            .route("/readyz", get(async move || status(ready.are_ready().await)))
            .route_service("/grpc.health.v1.Health/{method}", health::service(self))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .layer(from_fn(within_the_limit));
        tasks.spawn("probes", accept(listener, router, tasks.clone()));
        let stop = tasks.clone();
        tasks.spawn("metrics upkeep", async move {
            // The recorder leaves the upkeep of its histograms to its owner.
            while !stop.is_stopping() {
                metrics.run_upkeep();
                tokio::select! {
                    () = sleep(UPKEEP_INTERVAL) => {}
                    () = stop.stopping() => {}
                }
            }
        });
        Ok(addr)
    }
}

fn status(is_ready: bool) -> StatusCode {
    if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

async fn within_the_limit(request: Request, next: Next) -> Response {
    match timeout(CALL_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

async fn accept(listener: TcpListener, router: Router, stop: Shutdown) {
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.stopping() => return,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                warn!(%error, "a connection to the probes was not accepted");
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        // Without a permit the connection is closed, because the stream is dropped.
        if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            let (router, stopping) = (router.clone(), stop.stopping_owned());
            stop.spawn_contained("probe connection", async move {
                serve_connection(stream, router, stopping).await;
                drop(permit);
            });
        }
    }
}

async fn serve_connection(stream: TcpStream, router: Router, stopping: impl Future<Output = ()>) {
    let _ = stream.set_nodelay(true);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_LIMIT as usize);
    builder.http2().max_header_list_size(HEAD_LIMIT).max_concurrent_streams(STREAMS);
    let connection =
        builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = async { tokio::select! { () = sleep(CONNECTION_AGE) => {}, () = stopping => {} } } => {
            connection.as_mut().graceful_shutdown();
            timeout(CLOSE_LIMIT, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        debug!(error, "a connection to the probes broke");
    }
}
