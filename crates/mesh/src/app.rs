//! How a process starts, runs and leaves.

use std::{future::Future, net::SocketAddr, process::ExitCode, sync::Arc, time::Duration};

use anyhow::Context;
use clap::Parser;
use futures_util::future::BoxFuture;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tonic::service::Routes;
use tracing::{info, warn};
use types::{Chance, Clock};

use crate::{
    Args, Shutdown, grpc,
    http_server::{self, Crowd, Front},
    telemetry,
};

/// What a service is given to build itself with: time, chance, and the word to
/// stop. Tests hand in their own.
#[derive(Debug, Clone)]
pub struct Base {
    /// The service's name in traces, metrics and logs.
    pub name: &'static str,
    /// The only source of the time.
    pub clock: Clock,
    /// The only source of randomness.
    pub chance: Chance,
    /// Where tasks are spawned and the stop is heard.
    pub shutdown: Shutdown,
}

/// Answers whether a service can do its work right now.
pub type Readiness = Arc<dyn Fn() -> BoxFuture<'static, anyhow::Result<()>> + Send + Sync>;

/// A built service, not yet listening.
pub struct App {
    door: Door,
    ready: Readiness,
}

enum Door {
    Grpc(Box<Routes>),
    Http(Box<Front>),
}

impl App {
    /// A service of the mesh: gRPC with health and reflection beside its own.
    pub fn grpc(routes: Routes, ready: Readiness) -> Self {
        Self { door: Door::Grpc(Box::new(routes)), ready }
    }

    /// A door to the world: plain HTTP, for a crowd. Whoever finds no place in a full
    /// house is answered by `full`, once and briefly.
    pub fn http(router: axum::Router, full: axum::Router, crowd: Crowd, ready: Readiness) -> Self {
        Self { door: Door::Http(Box::new(Front { router, full, crowd })), ready }
    }
}

/// A service that listens.
#[derive(Debug)]
pub struct Running {
    /// Where.
    pub addr: SocketAddr,
    shutdown: Shutdown,
    drain: Duration,
}

impl Running {
    /// Stops taking calls, finishes those under way, ends all tasks. False when
    /// the drain's limit cut some of them off.
    pub async fn stop(self) -> bool {
        self.shutdown.stop();
        self.shutdown.drained(self.drain).await
    }
}

/// The whole life of a process: read the arguments, start telemetry, build,
/// serve, drain on the first signal, leave.
pub fn run<A, F, Fut>(name: &'static str, build: F) -> ExitCode
where
    A: Parser + AsRef<Args>,
    F: FnOnce(Base, A) -> Fut,
    Fut: Future<Output = anyhow::Result<App>>,
{
    let args = A::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(name, &error.into()),
    };
    match runtime.block_on(live(name, args, build)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => complain(name, &error),
    }
}

async fn live<A, F, Fut>(name: &'static str, args: A, build: F) -> anyhow::Result<()>
where
    A: AsRef<Args>,
    F: FnOnce(Base, A) -> Fut,
    Fut: Future<Output = anyhow::Result<App>>,
{
    let common = args.as_ref().clone();
    let telemetry = telemetry::start(name, common.otlp_endpoint.as_deref())?;
    let shutdown = Shutdown::new();
    let base =
        Base { name, clock: Clock::system(), chance: Chance::system(), shutdown: shutdown.clone() };
    let outcome = async {
        telemetry::serve_metrics(common.metrics_listen, &shutdown).await?;
        let app = build(base, args).await?;
        let running = start(name, &common, app, shutdown.clone()).await?;
        wait_for_stop(&shutdown).await?;
        if !running.stop().await {
            warn!("the drain's limit cut off work under way");
        }
        anyhow::ensure!(!shutdown.has_failed(), "a task failed that nothing works without");
        Ok(())
    }
    .await;
    telemetry.flush().await;
    outcome
}

/// Puts a built service on its port. Tests use it with port 0.
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
    match app.door {
        Door::Grpc(routes) => grpc::server::serve(listener, *routes, app.ready, &shutdown).await?,
        Door::Http(front) => http_server::serve(listener, *front, &shutdown),
    }
    info!(%addr, "listening");
    Ok(Running { addr, shutdown, drain: args.drain })
}

async fn wait_for_stop(shutdown: &Shutdown) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => info!("asked to stop"),
        _ = interrupt.recv() => info!("interrupted"),
        () = shutdown.stopping() => {}
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "there may be no log to write to yet")]
fn complain(name: &str, error: &anyhow::Error) -> ExitCode {
    eprintln!("{name}: {error:#}");
    ExitCode::FAILURE
}
