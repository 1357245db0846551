use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tonic::{
    Code,
    transport::{Channel, Endpoint},
};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use super::*;
use crate::Shutdown;

fn check(ready: bool) -> Readiness {
    Arc::new(move || {
        Box::pin(async move { if ready { Ok(()) } else { anyhow::bail!("no database") } })
    })
}

#[tokio::test]
async fn a_service_is_ready_once_it_is_built_and_until_its_lame_duck() {
    let shutdown = Shutdown::new();
    let probes = Probes::new(&shutdown);
    assert!(!probes.are_ready().await);
    probes.set(check(true));
    assert!(probes.are_ready().await);
    shutdown.begin_lame_duck();
    assert!(!probes.are_ready().await);
}

#[tokio::test(start_paused = true)]
async fn a_check_that_fails_or_hangs_is_not_ready() {
    let hangs: Readiness = Arc::new(|| Box::pin(std::future::pending()));
    for check in [check(false), hangs] {
        let probes = Probes::new(&Shutdown::new());
        probes.set(check);
        assert!(!probes.are_ready().await);
    }
}

/// A served port, with the readiness that a test sets.
struct Port {
    addr: SocketAddr,
    probes: Probes,
    shutdown: Shutdown,
    tasks: Shutdown,
}

impl Port {
    async fn open() -> Self {
        let (shutdown, tasks) = (Shutdown::new(), Shutdown::new());
        let probes = Probes::new(&shutdown);
        let addr = probes.clone().serve(([127, 0, 0, 1], 0).into(), &tasks).await.unwrap();
        Self { addr, probes, shutdown, tasks }
    }

    async fn health(&self) -> HealthClient<Channel> {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.addr)).unwrap();
        HealthClient::new(endpoint.connect().await.unwrap())
    }

    /// Sends text over HTTP/1, and reads until the server closes.
    async fn http1(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reply = String::new();
        let _ = stream.read_to_string(&mut reply).await;
        reply
    }

    async fn status(&self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        let reply = self.http1(&request).await;
        reply.split(' ').nth(1).unwrap_or_default().to_owned()
    }
}

async fn serving(client: &mut HealthClient<Channel>, service: &str) -> Result<bool, Code> {
    let request = HealthCheckRequest { service: service.to_owned() };
    let reply = client.check(request).await.map_err(|status| status.code())?;
    Ok(reply.into_inner().status() == ServingStatus::Serving)
}

#[tokio::test]
async fn grpc_health_says_readiness_and_liveness_without_tls() {
    let port = Port::open().await;
    let mut client = port.health().await;
    assert_eq!(serving(&mut client, "").await, Ok(false), "nothing is built");
    assert_eq!(serving(&mut client, "liveness").await, Ok(true));
    let database = Arc::new(AtomicBool::new(true));
    let answers = Arc::clone(&database);
    port.probes.set(Arc::new(move || check(answers.load(Ordering::SeqCst))()));
    assert_eq!(serving(&mut client, "").await, Ok(true));
    assert_eq!(port.status("/readyz").await, "200");
    database.store(false, Ordering::SeqCst);
    assert_eq!(serving(&mut client, "").await, Ok(false));
    assert_eq!(serving(&mut client, "liveness").await, Ok(true), "it needs no database");
    assert_eq!(port.status("/readyz").await, "503");
    assert_eq!(serving(&mut client, "playon.wallet.v1.WalletService").await, Err(Code::NotFound));
    database.store(true, Ordering::SeqCst);
    port.shutdown.begin_lame_duck();
    assert_eq!(serving(&mut client, "").await, Ok(false));
    port.shutdown.stop();
    assert_eq!(serving(&mut client, "liveness").await, Ok(true), "while it drains");
    assert_eq!(port.status("/metrics").await, "200");
    assert_eq!(port.status("/healthz").await, "200");
    port.tasks.stop();
    assert!(port.tasks.drained(Duration::from_secs(5)).await);
}

#[tokio::test]
async fn a_request_beyond_the_limits_is_refused() {
    let port = Port::open().await;
    let mut client = port.health().await;
    let long = serving(&mut client, &"x".repeat(2 * 1024)).await;
    assert_eq!(long, Err(Code::OutOfRange));
    let head = format!("GET /healthz HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(64 * 1024));
    assert!(!port.http1(&head).await.contains("alive"));
    assert_eq!(port.status("/healthz").await, "200");
}

#[tokio::test]
async fn connections_beyond_the_limit_are_closed_at_once() {
    let port = Port::open().await;
    let mut held = Vec::new();
    for _ in 0..server::CONNECTIONS {
        held.push(TcpStream::connect(port.addr).await.unwrap());
    }
    // Connections are accepted in order, so all earlier ones have their permits by now.
    let mut one_more = TcpStream::connect(port.addr).await.unwrap();
    let read = tokio::time::timeout(Duration::from_secs(5), one_more.read(&mut [0])).await;
    assert!(matches!(read.unwrap(), Ok(0) | Err(_)));
    held.clear();
    while port.status("/healthz").await != "200" {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
