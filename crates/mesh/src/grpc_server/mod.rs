//! Inbound calls: authenticated, limited, traced, counted, and ended at their deadline.

mod call;
mod methods;
mod shedding;

use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tonic::{service::Routes, transport::Server};
use tonic_health::{ServingStatus, server::HealthReporter};
use tonic_tracing_opentelemetry::middleware::{filters, server::OtelGrpcLayer};
use tracing::{error, warn};

use self::call::CallLayer;
pub(crate) use self::call::Guard;
use crate::{
    Readiness, Shutdown,
    tls::{self, Certificates},
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
/// Streams that callers reset before they were accepted. After a stall there may be many,
/// and callers are authenticated; at the limit of 20 the connection would end.
const PENDING_RESETS: usize = 1_024;
/// A connection ends after this time, because its certificate was verified when it was
/// opened. Callers open another without losing a call.
const CONNECTION_AGE: Duration = Duration::from_mins(15);
/// Longest that a stream keeps an aged connection open.
const CONNECTION_AGE_GRACE: Duration = Duration::from_mins(5);
/// HTTP/2 flow-control window of a connection, in bytes.
const CONNECTION_WINDOW: u32 = 4 << 20;

/// How a service is served.
pub(crate) struct ServerConfig {
    pub(crate) name: &'static str,
    pub(crate) certificates: Certificates,
    /// Whether the contract can be read from the server.
    pub(crate) reflection: bool,
}

pub(crate) async fn serve(
    listener: TcpListener,
    (routes, guard): (Routes, Guard),
    ready: Readiness,
    config: ServerConfig,
    shutdown: &Shutdown,
) -> anyhow::Result<()> {
    let (reporter, health) = tonic_health::server::health_reporter();
    reporter.set_service_status("", ServingStatus::NotServing).await;
    report_readiness(reporter, ready, shutdown);

    let layer = CallLayer::new(guard);
    let mut routes = Routes::from(routes.prepare().into_axum_router().layer(layer));
    routes = routes.add_service(health);
    if config.reflection {
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(proto::DESCRIPTOR)
            .build_v1()
            .context("the descriptor set cannot be decoded")?;
        routes = routes.add_service(reflection);
    }
    let (stopping, process) = (shutdown.stopping_owned(), shutdown.clone());
    let incoming = tls::incoming(listener, config.certificates, config.name, shutdown);
    let server = Server::builder()
        .http2_keepalive_interval(Some(Duration::from_secs(20)))
        .max_concurrent_streams(STREAMS_PER_CONNECTION)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .concurrency_limit_per_connection(CONCURRENCY_PER_CONNECTION)
        .http2_max_pending_accept_reset_streams(Some(PENDING_RESETS))
        .max_connection_age(CONNECTION_AGE)
        .max_connection_age_grace(CONNECTION_AGE_GRACE)
        .layer(OtelGrpcLayer::default().filter(filters::reject_healthcheck))
        .add_routes(routes)
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
        while !stop.is_lame_duck() {
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
                () = stop.lame_duck() => {}
            }
        }
        reporter.set_service_status("", ServingStatus::NotServing).await;
    });
}
