//! How a process starts, runs and stops.

use std::{future::Future, io, net::SocketAddr, process::ExitCode, sync::Arc, time::Duration};

use anyhow::{Context as _, ensure};
use clap::Parser;
use mimalloc::MiMalloc;
use tokio::{
    net::{TcpListener, TcpSocket},
    runtime::Builder,
    signal::unix::{Signal, SignalKind, signal},
};
use tonic::service::Routes;
use tracing::{info, warn};
use types::{Clock, Rng};

use crate::{
    Args, Probes, Readiness, Shutdown,
    auth::Verifier,
    edges,
    grpc::client::{self, Upstream},
    grpc_server::{self, Guard, ServerConfig},
    http_server::{self, HttpServer},
    migrated::Migrated,
    telemetry,
    tls::Certificates,
};

/// The allocator of every process of the mesh: a call allocates and frees some hundred small blocks
/// (docs/decisions/0047-performance.md).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The dependencies that a service is built with: time, randomness and the signal to stop. Tests
/// pass their own.
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
    /// Proves the service's name to other processes.
    pub certificates: Certificates,
}

impl Base {
    /// An upstream at a comma-separated list of `https` URLs. Fails without an edge to it.
    pub fn upstream(&self, callee: &'static str, urls: &str) -> anyhow::Result<Upstream> {
        let name = self.name;
        let edge = edges::find(name, callee);
        ensure!(edge.is_some(), "mesh::edges has no edge from {name} to {callee}");
        client::connect(urls, callee, self.certificates.clone(), self.rng.clone())
    }
}

/// A built service, not yet listening.
pub struct App {
    transport: Transport,
    ready: Readiness,
}

enum Transport {
    Grpc(Box<Routes>, Verifier),
    /// The public server, and another one with a listener of its own.
    Http(Box<HttpServer>, Option<(TcpListener, Box<HttpServer>)>),
}

impl App {
    /// A gRPC service, whose callers are verified; health is added.
    pub fn grpc(routes: Routes, verifier: Verifier, ready: Readiness) -> Self {
        Self { transport: Transport::Grpc(Box::new(routes), verifier), ready }
    }

    /// A public HTTP server.
    pub fn http(server: HttpServer, ready: Readiness) -> Self {
        Self { transport: Transport::Http(Box::new(server), None), ready }
    }

    /// A public HTTP server, and another origin that the same process serves.
    pub fn two_origins(
        server: HttpServer,
        (listener, other): (TcpListener, HttpServer),
        ready: Readiness,
    ) -> Self {
        let other = Some((listener, Box::new(other)));
        Self { transport: Transport::Http(Box::new(server), other), ready }
    }
}

/// A service that listens.
#[derive(Debug)]
pub struct Running {
    /// The address of the service.
    pub addr: SocketAddr,
    /// The address of the service's other origin.
    pub other_addr: Option<SocketAddr>,
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

/// Most threads for work that blocks, such as writing a file. The allocator keeps memory for each;
/// tokio's own limit is 512.
const BLOCKING_THREADS: usize = 16;

/// Runs a process: parse the arguments, start telemetry, build, serve, drain at the first
/// signal, exit.
pub fn run<A, F, Fut>(name: &'static str, build: F) -> ExitCode
where
    A: Parser + AsRef<Args>,
    F: FnOnce(Base, A) -> Fut,
    Fut: Future<Output = anyhow::Result<App>>,
{
    let args = A::parse();
    let threads = args.as_ref().worker_threads.get();
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.worker_threads(threads).max_blocking_threads(BLOCKING_THREADS);
    let runtime = match runtime.enable_all().build() {
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
    let base = Base {
        name,
        clock: Clock::system(),
        rng: Rng::system(),
        shutdown: shutdown.clone(),
        certificates: Certificates::load(&common.tls_dir, name)?,
    };
    base.certificates.follow(&shutdown);
    // Probes and metrics are served until the process exits, also while it drains.
    let observers = Shutdown::new();
    let outcome = async {
        let probes = Probes::new(&shutdown);
        probes.clone().serve(common.metrics_listen, &observers).await?;
        let app = match build(base.clone(), args).await {
            Err(error) if error.is::<Migrated>() => {
                info!("{error}");
                return Ok(());
            }
            app => app?,
        };
        probes.set(Arc::clone(&app.ready));
        let running = start(&base, &common, app).await?;
        Signals::new()?.wait(&shutdown, common.lame_duck).await;
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

/// Connections that the kernel keeps until the process accepts them, at most its `somaxconn`. It
/// ignores more than those, and their clients try again after a second. `TcpListener::bind` keeps
/// 128, which the phones that reconnect after a release exceed.
const BACKLOG: u32 = 4_096;

/// Listens on an address. Call it in a runtime.
pub fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A restarted process gets its port although connections of the one before it linger.
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// Serves a built service on its port. Tests use port 0.
pub async fn start(base: &Base, args: &Args, app: App) -> anyhow::Result<Running> {
    let (name, shutdown) = (base.name, base.shutdown.clone());
    let listener = listen(args.listen)
        .with_context(|| format!("{name} cannot listen on {}: is the port in use?", args.listen))?;
    let addr = listener.local_addr()?;
    let mut other_addr = None;
    match app.transport {
        Transport::Grpc(routes, verifier) => {
            let guard = Guard { verifier, capacity: args.max_calls };
            let certificates = base.certificates.clone();
            let config = ServerConfig { name, certificates, reflection: args.reflection };
            grpc_server::serve(listener, (*routes, guard), app.ready, config, &shutdown).await?;
        }
        Transport::Http(server, other) => {
            http_server::serve(listener, *server, &shutdown);
            if let Some((listener, other)) = other {
                other_addr = Some(listener.local_addr()?);
                http_server::serve(listener, *other, &shutdown);
            }
        }
    }
    info!(%addr, "listening");
    Ok(Running { addr, other_addr, shutdown, drain: args.drain })
}

/// The signals that stop a process.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        let terminate = signal(SignalKind::terminate())?;
        Ok(Self { terminate, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn recv(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }

    /// Waits for a signal, and then for the end of the lame duck, which a second signal
    /// ends early. Returns at once when the process stops for another reason.
    async fn wait(&mut self, shutdown: &Shutdown, lame_duck: Duration) {
        tokio::select! {
            signal = self.recv() => info!(?lame_duck, "stopping: {signal}"),
            () = shutdown.stopping() => return,
        }
        self::lame_duck(shutdown, lame_duck, self.recv()).await;
    }
}

async fn lame_duck(
    shutdown: &Shutdown,
    time: Duration,
    second_signal: impl Future<Output = &'static str>,
) {
    shutdown.begin_lame_duck();
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        signal = second_signal => info!("the lame duck ends early: {signal}"),
        () = shutdown.stopping() => {}
    }
}

#[expect(clippy::print_stderr, reason = "the log may not be started yet")]
fn report(name: &str, error: &anyhow::Error) -> ExitCode {
    eprintln!("{name}: {error:#}");
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests;
