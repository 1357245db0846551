//! Tests over real sockets. A timeout that a test does not measure is an hour.

mod connections;
mod replies;
mod requests;

use std::{
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
};

use axum::{
    Router,
    body::{Body, Bytes},
    routing::{get, post},
};
use http::{Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::{Empty, StreamBody};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    sync::{Notify, mpsc},
};

use super::*;

type Part = Result<Frame<Bytes>, Infallible>;

const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: playon\r\n\r\n";
const GET_PARTS: &[u8] = b"GET /parts HTTP/1.1\r\nhost: playon\r\n\r\n";

const LONG: Duration = Duration::from_hours(1);
const SHORT: Duration = Duration::from_millis(100);
const UNLIMITED: Timeouts =
    Timeouts { first_call: LONG, idle: LONG, idle_at_limit: LONG, drain: LONG, stall: LONG };
/// The length of the reply of `/big`, which is one frame.
const BIG: usize = 1024 * 1024;

struct TestServer {
    addr: SocketAddr,
    shutdown: Shutdown,
    /// The sender of each reply of `/parts`; closed when its reader is gone.
    replies: mpsc::UnboundedReceiver<mpsc::Sender<Part>>,
    /// Ends one call of `/wait`.
    go_on: Arc<Notify>,
}

fn limits() -> HttpLimits {
    HttpLimits {
        connections: 100,
        connections_per_client: 100,
        calls: 100,
        calls_per_client: 100,
        trusted_proxies: Networks::default(),
        exempt_loopback: false,
    }
}

async fn start(timeouts: Timeouts) -> TestServer {
    start_with(timeouts, limits()).await
}

async fn start_with(timeouts: Timeouts, limits: HttpLimits) -> TestServer {
    let (begun, replies) = mpsc::unbounded_channel();
    let parts = move || {
        let (sender, receiver) = mpsc::channel(1);
        begun.send(sender).unwrap();
        let stream = futures_util::stream::unfold(receiver, async |mut parts| {
            parts.recv().await.map(|part: Part| (part, parts))
        });
        async { Body::new(StreamBody::new(Box::pin(stream))) }
    };
    let go_on = Arc::new(Notify::new());
    let wait = {
        let go_on = Arc::clone(&go_on);
        move || async move {
            go_on.notified().await;
            "served"
        }
    };
    let router = Router::new()
        .route("/", get(async || "served"))
        .route("/parts", get(parts))
        .route("/big", get(async || Bytes::from(vec![0; BIG])))
        .route("/wait", get(wait))
        .route("/read", post(async |body: Bytes| body.len().to_string()))
        .route("/refuse", post(async || StatusCode::UNAUTHORIZED));
    let refuse = Arc::new(|reached| {
        let mut reply = Response::new(Body::from(format!("{reached:?}")));
        *reply.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        reply
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let (addr, shutdown) = (listener.local_addr().unwrap(), Shutdown::new());
    serve_within(timeouts, listener, HttpServer { router, limits, refuse }, &shutdown);
    TestServer { addr, shutdown, replies, go_on }
}

impl TestServer {
    async fn dial(&self) -> TcpStream {
        TcpStream::connect(self.addr).await.unwrap()
    }

    /// Connects from `127.0.0.{last}`.
    async fn dial_from(&self, last: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, last], 0).into()).unwrap();
        socket.connect(self.addr).await.unwrap()
    }

    /// Sends `sent`, and reads until the server closes the connection.
    async fn send_and_read_to_end(&self, sent: &[u8]) -> String {
        let mut stream = self.dial().await;
        stream.write_all(sent).await.unwrap();
        read_to_end(stream).await
    }

    async fn http2(&self, window: u32) -> (http2::SendRequest<Empty<Bytes>>, Shutdown) {
        let stream = TokioIo::new(self.dial().await);
        let (client, connection) = http2::Builder::new(TokioExecutor::new())
            .initial_stream_window_size(window)
            .handshake(stream)
            .await
            .unwrap();
        // Answers pings, as any client does.
        let tasks = Shutdown::new();
        tasks.spawn_contained("client", async move { drop(connection.await) });
        (client, tasks)
    }
}

async fn read_to_end(mut stream: TcpStream) -> String {
    let mut read = Vec::new();
    // The connection may be closed or reset.
    let _ = stream.read_to_end(&mut read).await;
    String::from_utf8_lossy(&read).into_owned()
}

/// Sends a request, and reads its reply: head and body.
async fn call(stream: &mut TcpStream, request: &[u8]) -> String {
    stream.write_all(request).await.unwrap();
    read_reply(stream).await.expect("the connection was closed before the reply")
}

/// Reads one reply with a `content-length`; `None` if the connection is closed first.
async fn read_reply(stream: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap();
            if body.len() >= length.parse().unwrap() {
                return Some(text);
            }
        }
        if stream.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    }
}

fn request(path: &str) -> Request<Empty<Bytes>> {
    Request::get(format!("http://playon{path}")).body(Empty::new()).unwrap()
}

fn part(text: &'static str) -> Frame<Bytes> {
    Frame::data(Bytes::from_static(text.as_bytes()))
}
