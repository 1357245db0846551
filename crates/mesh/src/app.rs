//! How a process starts, runs and stops.

use std::{future::Future, net::SocketAddr, process::ExitCode, sync::Arc, time::Duration};

use anyhow::Context;
use clap::Parser;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tonic::service::Routes;
use tracing::{info, warn};
use types::{Clock, Rng};

use crate::{
    Args, Probes, Readiness, Shutdown, grpc,
    http_server::{self, HttpServer},
    migrated::Migrated,
    telemetry,
};

/// What a service is built with: time, randomness and the signal to stop. Tests pass
/// their own.
#[derive(Debug, Clone)]
pub struct Base {
    /// The service's name in traces, metrics and logs.
    pub name: &'static str,
    /// The only source of the time.
    pub clock: Clock,
    /// The only source of randomness.
    pub rng: Rng,
    /// Spawns tasks, and stops them.
    pub shutdown: Shutdown,
}

/// A built service, not yet listening.
pub struct App {
    transport: Transport,
    ready: Readiness,
}

enum Transport {
    Grpc(Box<Routes>),
    Http(Box<HttpServer>),
}

impl App {
    /// A gRPC service; health and reflection are added.
    pub fn grpc(routes: Routes, ready: Readiness) -> Self {
        Self { transport: Transport::Grpc(Box::new(routes)), ready }
    }

    /// A public HTTP server.
    pub fn http(server: HttpServer, ready: Readiness) -> Self {
        Self { transport: Transport::Http(Box::new(server)), ready }
    }
}

/// A service that listens.
#[derive(Debug)]
pub struct Running {
    /// Its address.
    pub addr: SocketAddr,
    shutdown: Shutdown,
    drain: Duration,
}

impl Running {
    /// Stops accepting calls, waits for those in flight, and ends all tasks. False when
    /// the drain limit cut some of them off.
    pub async fn stop(self) -> bool {
        self.shutdown.stop();
        self.shutdown.drained(self.drain).await
    }
}

/// Runs a process: parse the arguments, start telemetry, build, serve, drain at the first
/// signal, exit.
pub fn run<A, F, Fut>(name: &'static str, build: F) -> ExitCode
where
    A: Parser + AsRef<Args>,
    F: FnOnce(Base, A) -> Fut,
    Fut: Future<Output = anyhow::Result<App>>,
{
    let args = A::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return report(name, &error.into()),
    };
    match runtime.block_on(run_async(name, args, build)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(name, &error),
    }
}

async fn run_async<A, F, Fut>(name: &'static str, args: A, build: F) -> anyhow::Result<()>
where
    A: AsRef<Args>,
    F: FnOnce(Base, A) -> Fut,
    Fut: Future<Output = anyhow::Result<App>>,
{
    let common = args.as_ref().clone();
    let telemetry = telemetry::start(name, common.otlp_endpoint.as_deref(), common.trace_ratio)?;
    let shutdown = Shutdown::new();
    let base =
        Base { name, clock: Clock::system(), rng: Rng::system(), shutdown: shutdown.clone() };
    let outcome = async {
        let probes = Probes::default();
        telemetry::serve_metrics(common.metrics_listen, probes.clone(), &shutdown).await?;
        let app = match build(base, args).await {
            Err(error) if error.is::<Migrated>() => {
                info!("{error}");
                return Ok(());
            }
            app => app?,
        };
        probes.set(Arc::clone(&app.ready));
        let running = start(name, &common, app, shutdown.clone()).await?;
        wait_for_stop(&shutdown).await?;
        if !running.stop().await {
            warn!("the drain limit cut off work in flight");
        }
        anyhow::ensure!(!shutdown.has_failed(), "an essential task failed");
        Ok(())
    }
    .await;
    telemetry.flush().await;
    outcome
}

/// Serves a built service on its port. Tests use port 0.
pub async fn start(
    name: &'static str,
    args: &Args,
    app: App,
    shutdown: Shutdown,
) -> anyhow::Result<Running> {
    let listener = TcpListener::bind(args.listen)
        .await
        .with_context(|| format!("{name} cannot listen on {}: is the port in use?", args.listen))?;
    let addr = listener.local_addr()?;
    match app.transport {
        Transport::Grpc(routes) => {
            grpc::server::serve(listener, *routes, app.ready, &shutdown).await?;
        }
        Transport::Http(server) => http_server::serve(listener, *server, &shutdown),
    }
    info!(%addr, "listening");
    Ok(Running { addr, shutdown, drain: args.drain })
}

async fn wait_for_stop(shutdown: &Shutdown) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => info!("stopping: SIGTERM"),
        _ = interrupt.recv() => info!("stopping: SIGINT"),
        () = shutdown.stopping() => {}
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the log may not be started yet")]
fn report(name: &str, error: &anyhow::Error) -> ExitCode {
    eprintln!("{name}: {error:#}");
    ExitCode::FAILURE
}
