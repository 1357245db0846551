//! Over real sockets; what must not end is ended by nothing but the test.

use std::{net::Ipv4Addr, sync::Arc};

use axum::{
    body::{Body, Bytes},
    routing::get,
};
use http::{Request, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt as _, Empty, StreamBody};
use hyper::client::conn::http2;
use hyper_util::rt::TokioExecutor;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpSocket,
    sync::mpsc,
};

use super::*;

type Part = Result<Frame<Bytes>, Infallible>;

const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: playon\r\n\r\n";

/// A limit that this test is not about.
const LONG: Duration = Duration::from_hours(1);
const SHORT: Duration = Duration::from_millis(100);
const PATIENT: Limits =
    Limits { first: LONG, idle: LONG, leave: LONG, stall: LONG, standing: LONG };

struct Transport {
    addr: SocketAddr,
    shutdown: Shutdown,
    /// What `/parts` says, by the reader's turn; each is gone when its reader is.
    replies: mpsc::UnboundedReceiver<mpsc::Sender<Part>>,
}

async fn door(limits: Limits) -> Transport {
    crowded(limits, 100, 100).await
}

async fn crowded(limits: Limits, connections: usize, per_subscriber: usize) -> Transport {
    let (begun, replies) = mpsc::unbounded_channel();
    let parts = move || {
        let (sender, receiver) = mpsc::channel(1);
        begun.send(sender).unwrap();
        let stream = futures_util::stream::unfold(receiver, async |mut parts| {
            parts.recv().await.map(|part: Part| (part, parts))
        });
        async { Body::new(StreamBody::new(Box::pin(stream))) }
    };
    let router = Router::new().route("/", get(async || "served")).route("/parts", get(parts));
    let full = Router::new()
        .route("/healthz", get(async || "alive"))
        .fallback(async || StatusCode::SERVICE_UNAVAILABLE);
    let connections =
        ConnectionLimits { connections, per_subscriber, proxies: Arc::new(|_| false) };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let (addr, shutdown) = (listener.local_addr().unwrap(), Shutdown::new());
    serve_within(limits, listener, HttpServer { router, full, limits: connections }, &shutdown);
    Transport { addr, shutdown, replies }
}

impl Transport {
    async fn dial(&self) -> TcpStream {
        TcpStream::connect(self.addr).await.unwrap()
    }

    /// Sends something, and reads what comes until the other side hangs up.
    async fn last_words(&self, sent: &[u8]) -> String {
        let mut stream = self.dial().await;
        stream.write_all(sent).await.unwrap();
        last_words(stream).await
    }
}

async fn last_words(mut stream: TcpStream) -> String {
    let mut heard = Vec::new();
    // Whoever is cut off may hear of it in either way.
    let _ = stream.read_to_end(&mut heard).await;
    String::from_utf8_lossy(&heard).into_owned()
}

/// One call on a connection that stays open.
async fn call(stream: &mut TcpStream) -> String {
    stream.write_all(GET).await.unwrap();
    let mut heard = Vec::new();
    while !heard.ends_with(b"served") {
        assert_ne!(stream.read_buf(&mut heard).await.unwrap(), 0, "it hung up");
    }
    String::from_utf8(heard).unwrap()
}

async fn over_http2(door: &Transport, window: u32) -> (http2::SendRequest<Empty<Bytes>>, Shutdown) {
    let stream = TokioIo::new(door.dial().await);
    let (client, connection) = http2::Builder::new(TokioExecutor::new())
        .initial_stream_window_size(window)
        .handshake(stream)
        .await
        .unwrap();
    // Answers pings, as any client's does.
    let tasks = Shutdown::new();
    tasks.spawn_contained("client", async move { drop(connection.await) });
    (client, tasks)
}

fn request(path: &str) -> Request<Empty<Bytes>> {
    Request::get(format!("http://playon{path}")).body(Empty::new()).unwrap()
}

#[tokio::test]
async fn whoever_says_nothing_or_half_a_word_is_hung_up() {
    let door = door(Limits { first: SHORT, ..PATIENT }).await;
    for half in ["", "PRI * HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\nho"] {
        let heard = door.last_words(half.as_bytes()).await;
        assert!(!heard.contains("served"), "{half}");
    }
}

#[tokio::test]
async fn a_connection_without_calls_is_over_after_a_while() {
    let door = door(Limits { idle: SHORT, ..PATIENT }).await;
    assert!(door.last_words(GET).await.ends_with("served"));
    let (mut client, connection) = over_http2(&door, 65_535).await;
    assert_eq!(client.send_request(request("/")).await.unwrap().status(), 200);
    assert!(connection.drained(LONG).await);
}

#[tokio::test]
async fn whoever_was_told_to_leave_and_stays_is_cut_off() {
    let door = door(Limits { idle: SHORT, leave: SHORT, ..PATIENT }).await;
    let mut stream = door.dial().await;
    // HTTP/2 by hand, so that the farewell's ping is not answered: preface, no settings
    // of ours, and a call for `/` (static table: GET, http, "/").
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    stream.write_all(b"\0\0\x0a\x01\x05\0\0\0\x01\x82\x86\x84\x41\x05as.as").await.unwrap();
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard).await;
    assert!(heard.windows(6).any(|part| part == b"served"));
}

#[tokio::test]
async fn a_stream_without_news_is_not_idle() {
    for http2 in [false, true] {
        let mut door = door(Limits { first: SHORT, idle: SHORT, stall: SHORT, ..PATIENT }).await;
        let part = |text: &'static str| Ok(Frame::data(Bytes::from_static(text.as_bytes())));
        if http2 {
            let (mut client, _connection) = over_http2(&door, 65_535).await;
            let mut body = client.send_request(request("/parts")).await.unwrap().into_body();
            let news = door.replies.recv().await.unwrap();
            for text in ["one", "two"] {
                tokio::time::sleep(SHORT * 3).await;
                news.send(part(text)).await.unwrap();
                assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), text);
            }
        } else {
            let mut stream = door.dial().await;
            stream.write_all(b"GET /parts HTTP/1.1\r\nhost: playon\r\n\r\n").await.unwrap();
            let news = door.replies.recv().await.unwrap();
            let mut heard = Vec::new();
            for text in ["one", "two"] {
                tokio::time::sleep(SHORT * 3).await;
                news.send(part(text)).await.unwrap();
                while !heard.windows(3).any(|part| part == text.as_bytes()) {
                    assert_ne!(stream.read_buf(&mut heard).await.unwrap(), 0);
                }
            }
        }
    }
}

/// Offers more and more until the reply is given up.
async fn fill(mut door: Transport) {
    let reply = door.replies.recv().await.unwrap();
    let part = Bytes::from(vec![0; 64 * 1024]);
    while reply.send(Ok(Frame::data(part.clone()))).await.is_ok() {}
}

#[tokio::test]
async fn a_reader_that_takes_nothing_is_given_up() {
    let door = door(Limits { stall: Duration::from_millis(500), ..PATIENT }).await;
    let mut stream = door.dial().await;
    stream.write_all(b"GET /parts HTTP/1.1\r\nhost: playon\r\n\r\n").await.unwrap();
    fill(door).await;
}

#[tokio::test]
async fn a_stream_that_its_reader_shuts_is_given_up_and_its_connection_is_not() {
    let door = door(Limits { stall: SHORT, ..PATIENT }).await;
    let (mut client, _connection) = over_http2(&door, 1_024).await;
    let shut = client.send_request(request("/parts")).await.unwrap();
    fill(door).await;
    assert!(shut.into_body().collect().await.is_err());
    assert_eq!(client.send_request(request("/")).await.unwrap().status(), 200);
}

#[tokio::test]
async fn an_address_that_has_its_share_keeps_nobody_else_out() {
    let door = crowded(PATIENT, 100, 2).await;
    let dial_from = async |last: u8| {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, last], 0).into()).unwrap();
        socket.connect(door.addr).await.unwrap()
    };
    let (mut one, mut two) = (dial_from(2).await, dial_from(2).await);
    call(&mut one).await;
    call(&mut two).await;
    assert_eq!(last_words(dial_from(2).await).await, "");
    call(&mut dial_from(3).await).await;
    call(&mut one).await;
}

#[tokio::test]
async fn a_full_house_answers_probes_and_says_so() {
    let door = crowded(PATIENT, 2, 100).await;
    let (mut one, mut two) = (door.dial().await, door.dial().await);
    call(&mut one).await;
    call(&mut two).await;
    let probe = door.last_words(b"GET /healthz HTTP/1.1\r\nhost: playon\r\n\r\n").await;
    assert!(probe.starts_with("HTTP/1.1 200") && probe.ends_with("alive"), "{probe}");
    let other = door.last_words(GET).await;
    assert!(other.starts_with("HTTP/1.1 503"), "{other}");

    drop(one);
    loop {
        let mut stream = door.dial().await;
        stream.write_all(GET).await.unwrap();
        let mut heard = [0; 12];
        stream.read_exact(&mut heard).await.unwrap();
        if heard.ends_with(b"200") {
            break;
        }
    }
    call(&mut two).await;
}

#[tokio::test]
async fn whoever_stands_in_a_full_house_and_says_nothing_makes_room() {
    let door = crowded(Limits { standing: SHORT, ..PATIENT }, 0, 100).await;
    let silent: Vec<_> = futures_util::future::join_all((0..STANDING).map(|_| door.dial())).await;
    assert_eq!(last_words(door.dial().await).await, "");
    for stream in silent {
        assert_eq!(last_words(stream).await, "");
    }
    let probe = door.last_words(b"GET /healthz HTTP/1.1\r\nhost: playon\r\n\r\n").await;
    assert!(probe.ends_with("alive"), "{probe}");
}

#[tokio::test]
async fn a_stop_waits_for_calls_and_for_nothing_else() {
    let mut door = door(PATIENT).await;
    let (silent, mut idle) = (door.dial().await, door.dial().await);
    call(&mut idle).await;
    let mut busy = door.dial().await;
    busy.write_all(b"GET /parts HTTP/1.1\r\nhost: playon\r\n\r\n").await.unwrap();
    let reply = door.replies.recv().await.unwrap();

    door.shutdown.stop();
    assert_eq!((last_words(silent).await, last_words(idle).await), (String::new(), String::new()));
    reply.send(Ok(Frame::data(Bytes::from_static(b"the rest")))).await.unwrap();
    drop(reply);
    assert!(last_words(busy).await.contains("the rest"));
    assert!(door.shutdown.drained(LONG).await);
}
