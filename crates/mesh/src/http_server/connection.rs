//! One connection, from its first byte to its last.

use std::{
    convert::Infallible,
    fmt::Display,
    future::poll_fn,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use axum::{body::Body, response::IntoResponse as _};
use http::{HeaderValue, Method, Request, Response, StatusCode, Version, header::CONNECTION};
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulConnection,
    service::TowerToHyperService,
};
use metrics::counter;
use socket2::SockRef;
use tokio::{net::TcpStream, time::sleep};
use tower::{ServiceExt as _, service_fn};
use tracing::debug;

use super::{
    calls::{Call, Calls, IdleLimits, Reply},
    client::{ClientAddress, ClientNetwork},
    handover::{Handover, LongReply, Socket, write_body},
    request_body::{self, Unread},
    server::Server,
    stall::StallLimit,
};
use crate::{Shutdown, permits::KeyedPermit};

/// The longest head of a request, in bytes.
const HEAD_LIMIT: u32 = 32 * 1024;
/// Headers of a request over HTTP/1.
const HEADERS_LIMIT: usize = 64;
/// How often the client of an HTTP/2 connection is pinged.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// In which the head of a first call has to arrive after the stop.
const LAST_HEAD: Duration = Duration::from_secs(1);
/// How HTTP/2 begins (RFC 9113, section 3.4), and no method of HTTP/1.
const HTTP_2: &[u8; 3] = b"PRI";
/// The pause before the first bytes are looked at again.
const FIRST_BYTES_PAUSE: Duration = Duration::from_millis(10);

/// Serves a connection until its peer closes it, it is idle for too long, or the process
/// stops.
pub(super) async fn serve_connection(
    server: Arc<Server>,
    stream: TcpStream,
    peer: SocketAddr,
    permit: KeyedPermit<ClientNetwork>,
    stop: Shutdown,
) {
    // Replies are small, and the client waits for them.
    let _ = stream.set_nodelay(true);
    // The kernel closes a connection whose reader takes nothing, or is gone.
    let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(server.timeouts.stall));
    let (calls, handover) = (Calls::default(), Handover::default());
    let limits = || server.connections.idle_limits();
    let is_http2 = tokio::select! {
        biased;
        is_http2 = is_http2(&stream) => is_http2,
        () = calls.idle(limits, &server.pressure) => return,
        () = stop.stopping() => return,
    };
    let service = {
        let (server, calls, handover) = (Arc::clone(&server), calls.clone(), handover.clone());
        service_fn(move |request| {
            let (server, call) = (Arc::clone(&server), calls.begin());
            let handover = handover.clone();
            // Boxed: hyper keeps the room of a call for as long as the connection lives, and a
            // live stream is answered at once.
            Box::pin(async move {
                Ok::<_, Infallible>(answer(&server, peer, request, call, &handover).await)
            })
        })
    };
    let service = TowerToHyperService::new(service);
    let open = Open { server: &server, calls: &calls, handover: &handover, stop: &stop };
    if is_http2 {
        let connection = http2(&server, peer, &stop);
        let mut connection = pin!(connection.serve_connection(TokioIo::new(stream), service));
        open.run(connection.as_mut()).await;
    } else {
        let stream = Socket::new(stream, handover.clone());
        let mut connection = http1().serve_connection(stream, service);
        if let Some(reply) = open.run(Pin::new(&mut connection)).await {
            let stream = connection.into_parts().io.into_stream();
            // A task of its own, so that the room of this one is freed.
            stop.spawn_contained("long reply", async move {
                write_body(stream, reply).await;
                drop(permit);
            });
        }
    }
}

/// A connection that hyper runs, and what decides on its end.
struct Open<'a> {
    server: &'a Server,
    calls: &'a Calls,
    handover: &'a Handover,
    stop: &'a Shutdown,
}

impl Open<'_> {
    /// Runs a connection until its end, or until a long reply is handed over.
    async fn run<C>(&self, mut connection: Pin<&mut C>) -> Option<Reply>
    where
        C: GracefulConnection<Error: Display>,
    {
        let Self { server, calls, handover, stop } = *self;
        let mut draining = false;
        loop {
            let limits = || {
                if draining {
                    IdleLimits { first_call: LAST_HEAD, idle: server.timeouts.drain }
                } else {
                    server.connections.idle_limits()
                }
            };
            let ended = poll_fn(|cx| match connection.as_mut().poll(cx) {
                Poll::Ready(ended) => Poll::Ready(ended.map(|()| None)),
                Poll::Pending => match handover.take() {
                    Some(reply) => Poll::Ready(Ok(Some(reply))),
                    None => Poll::Pending,
                },
            });
            tokio::select! {
                ended = ended => return ended.unwrap_or_else(|error| {
                    debug!(%error, "a connection broke");
                    None
                }),
                () = calls.idle(limits, &server.pressure) => {
                    if draining || !calls.any_yet() {
                        debug!("an idle connection was closed");
                        return None;
                    }
                }
                () = stop.stopping(), if !draining => {}
            }
            draining = true;
            calls.restart_idle();
            connection.as_mut().graceful_shutdown();
        }
    }
}

/// Whether a connection begins as one of HTTP/2. Looks at the bytes without taking them.
async fn is_http2(stream: &TcpStream) -> bool {
    let mut first = [0; HTTP_2.len()];
    loop {
        // An error, or the end of the connection, comes again when it is read.
        let read = stream.peek(&mut first).await.unwrap_or(0);
        if read == HTTP_2.len() || read == 0 || !HTTP_2.starts_with(&first[..read]) {
            return &first == HTTP_2;
        }
        sleep(FIRST_BYTES_PAUSE).await;
    }
}

fn http1() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // The idle limit covers the time that a head takes.
        .header_read_timeout(None)
        .max_buf_size(HEAD_LIMIT as usize)
        .max_headers(HEADERS_LIMIT);
    builder
}

fn http2(server: &Server, peer: SocketAddr, stop: &Shutdown) -> http2::Builder<StallLimit> {
    let executor = StallLimit { limit: server.timeouts.stall, stop: stop.clone() };
    let mut builder = http2::Builder::new(executor);
    builder
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .max_header_list_size(HEAD_LIMIT)
        .max_concurrent_streams(server.limits.streams_per_connection(peer.ip()));
    builder
}

/// Routes a call, unless too many are in flight.
async fn answer(
    server: &Server,
    peer: SocketAddr,
    request: Request<Incoming>,
    call: Call,
    handover: &Handover,
) -> Response<Reply> {
    let is_http2 = request.version() == Version::HTTP_2;
    // Of HTTP/1.0 a reply has no chunks, and one to HEAD has no body.
    let has_chunks = request.version() == Version::HTTP_11 && request.method() != Method::HEAD;
    let client = server.limits.trusted_proxies.client(peer.ip(), request.headers());
    let is_head_too_long = head_length(&request) > HEAD_LIMIT as usize;
    let (body, unread, request) = split(request, is_http2);
    let mut reply = match server.calls.acquire(server.limits.key(client)) {
        Ok(_permit) if is_head_too_long => {
            drop(body);
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response()
        }
        Ok(_permit) => {
            let mut request = request.map(|()| body);
            request.extensions_mut().insert(ClientAddress(client));
            let reply = server.router.clone().oneshot(request).await;
            reply.unwrap_or_else(|never: Infallible| match never {})
        }
        Err(reached) => {
            drop(body);
            counter!("http_calls_refused_total", "reason" => reached.reason()).increment(1);
            (server.refuse)(reached)
        }
    };
    if !unread.drain().await {
        reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let is_long = has_chunks && reply.extensions().get::<LongReply>().is_some();
    if is_long {
        reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    reply.map(|body| {
        let reply = call.reply(body, is_http2);
        if is_long { handover.offer(reply) } else { reply }
    })
}

/// The length of a head, as HTTP/1 writes it. hyper compares its limit only with a head that is
/// incomplete, so one that comes in few reads may be nearly twice as long.
fn head_length(request: &Request<Incoming>) -> usize {
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    headers.sum::<usize>() + request.uri().path_and_query().map_or(0, |path| path.as_str().len())
}

/// The body is tracked over HTTP/1 only: over HTTP/2 an unread one ends with its stream.
fn split(request: Request<Incoming>, is_http2: bool) -> (Body, Unread, Request<()>) {
    let (head, incoming) = request.into_parts();
    let (body, unread) = if is_http2 {
        (Body::new(incoming), Unread::nothing())
    } else {
        request_body::track(incoming)
    };
    (body, unread, Request::from_parts(head, ()))
}
