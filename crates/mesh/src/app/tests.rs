use axum::{Router, routing::get};
use http::StatusCode;
use nix::sys::signal::{Signal::SIGTERM, raise};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::*;
use crate::http_server::HttpLimits;

fn server() -> HttpServer {
    let limits = HttpLimits {
        connections: 10,
        connections_per_client: 10,
        calls: 10,
        calls_per_client: 10,
        trusted_proxies: "10.0.0.0/8".parse().unwrap(),
        exempt_loopback: false,
    };
    let router = Router::new().route("/", get(|| async { "served" }));
    let refuse = Arc::new(|_| axum::response::IntoResponse::into_response(StatusCode::CONFLICT));
    HttpServer { router, limits, refuse }
}

/// A call on a new connection; `None` when it is refused.
async fn call(addr: SocketAddr, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(addr).await.ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.ok()?;
    reply.contains(' ').then_some(reply)
}

/// The signals are the process's own: no other test may raise or wait for them.
#[tokio::test]
async fn a_lame_duck_is_not_ready_and_serves_until_it_ends() {
    let (shutdown, observers) = (Shutdown::new(), Shutdown::new());
    let probes = Probes::new(&shutdown);
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let probe = probes.clone().serve(any, &observers).await.unwrap();
    probes.set(Arc::new(|| Box::pin(async { Ok(()) })));
    let listener = TcpListener::bind(any).await.unwrap();
    let addr = listener.local_addr().unwrap();
    http_server::serve(listener, server(), &shutdown);
    let running = Running {
        addr,
        other_addr: None,
        shutdown: shutdown.clone(),
        drain: Duration::from_secs(5),
    };
    let is_ready = async || call(probe, "/readyz").await.unwrap().contains(" 200 ");
    assert!(is_ready().await);

    let mut signals = Signals::new().unwrap();
    let (stop, lame_duck) = (shutdown.clone(), Duration::from_hours(1));
    shutdown.spawn("signals", async move {
        signals.wait(&stop, lame_duck).await;
        stop.stop();
    });
    raise(SIGTERM).unwrap();
    shutdown.lame_duck().await;
    assert!(!is_ready().await);
    assert!(call(probe, "/healthz").await.unwrap().contains("alive"));
    assert!(call(addr, "/").await.unwrap().ends_with("served"), "a new call is accepted");
    assert!(!shutdown.is_stopping());

    raise(SIGTERM).unwrap();
    tokio::time::timeout(Duration::from_secs(5), shutdown.stopping()).await.unwrap();
    assert!(running.stop().await, "drained");
    assert_eq!(call(addr, "/").await, None, "it no longer listens");
    assert!(!is_ready().await);
}

#[tokio::test(start_paused = true)]
async fn a_lame_duck_ends_after_its_time() {
    let shutdown = Shutdown::new();
    shutdown.begin_lame_duck();
    let started = tokio::time::Instant::now();
    lame_duck(&shutdown, Duration::from_secs(5), std::future::pending()).await;
    assert_eq!(started.elapsed(), Duration::from_secs(5));
}
