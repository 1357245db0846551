//! One connection, from its first byte to its last.

use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{body::Body, response::IntoResponse as _};
use http::{
    HeaderValue, Request, Response, StatusCode, Version,
    header::{CONNECTION, EXPECT, HOST},
    uri::Authority,
};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use metrics::counter;
use socket2::SockRef;
use tokio::net::TcpStream;
use tower::{ServiceExt as _, service_fn};
use tracing::debug;

use super::{
    calls::{Call, Calls, IdleLimits, Reply},
    client::{ClientAddress, ClientNetwork},
    request_body::{self, Unread},
    server::Server,
    stall::StallLimit,
};
use crate::{Shutdown, permits::KeyedPermit};

/// The longest head of a request, in bytes.
const HEAD_LIMIT: u32 = 32 * 1024;
/// Most headers of a request over HTTP/1.
const HEADERS_LIMIT: usize = 64;
/// How often the client of an HTTP/2 connection is pinged.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Time after the stop in which the head of a first call has to arrive.
const LAST_HEAD: Duration = Duration::from_secs(1);

/// Serves a connection until its peer closes it, it is idle for too long, or the process
/// stops.
pub(super) async fn serve_connection(
    server: Arc<Server>,
    stream: TcpStream,
    peer: SocketAddr,
    _permit: KeyedPermit<ClientNetwork>,
    stop: Shutdown,
) {
    // Replies are small, and the client waits for them.
    let _ = stream.set_nodelay(true);
    // The kernel closes a connection whose reader takes nothing, or is gone.
    let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(server.timeouts.stall));
    let calls = Calls::default();
    let service = {
        let (server, calls) = (Arc::clone(&server), calls.clone());
        service_fn(move |request| {
            let (server, call) = (Arc::clone(&server), calls.begin());
            // Boxed: hyper keeps the memory of a call's future for as long as the connection lives,
            // although the future of a live stream ends as soon as its reply begins.
            Box::pin(async move { Ok::<_, Infallible>(answer(&server, peer, request, call).await) })
        })
    };
    let builder = builder(&server, peer, &stop);
    let connection =
        builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = pin!(connection);
    let mut draining = false;
    loop {
        let limits = || {
            if draining {
                IdleLimits { first_call: LAST_HEAD, idle: server.timeouts.drain }
            } else {
                server.connections.idle_limits()
            }
        };
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    debug!(%error, "a connection broke");
                }
                return;
            }
            () = calls.idle(limits, &server.pressure) => {
                if draining || !calls.any_yet() {
                    debug!("an idle connection was closed");
                    return;
                }
            }
            () = stop.stopping(), if !draining => {}
        }
        draining = true;
        calls.restart_idle();
        connection.as_mut().graceful_shutdown();
    }
}

/// Builds a server of HTTP/1 and HTTP/2, which a connection's first bytes choose from.
fn builder(server: &Server, peer: SocketAddr, stop: &Shutdown) -> Builder<StallLimit> {
    let executor = StallLimit { limit: server.timeouts.stall, stop: stop.clone() };
    let mut builder = Builder::new(executor);
    builder
        .http1()
        // The idle limit covers the time that a head takes.
        .header_read_timeout(None)
        .max_buf_size(HEAD_LIMIT as usize)
        .max_headers(HEADERS_LIMIT);
    builder
        .http2()
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
) -> Response<Reply> {
    let is_http2 = request.version() == Version::HTTP_2;
    let client = server.limits.trusted_proxies.client(peer.ip(), request.headers());
    let refused = refused_head(&request);
    let (body, unread, request) = split(request, is_http2);
    let mut reply = match (server.calls.acquire(server.limits.key(client)), refused) {
        (Ok(_permit), Some(status)) => {
            drop(body);
            status.into_response()
        }
        (Ok(_permit), None) => {
            let mut request = request.map(|()| body);
            request.extensions_mut().insert(ClientAddress(client));
            let reply = server.router.clone().oneshot(request).await;
            reply.unwrap_or_else(|never: Infallible| match never {})
        }
        (Err(reached), _) => {
            drop(body);
            counter!("http_calls_refused_total", "reason" => reached.reason()).increment(1);
            (server.refuse)(reached)
        }
    };
    if !unread.drain().await {
        reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    reply.map(|body| call.reply(body, is_http2))
}

/// Why a head is refused before its call is routed. A request over HTTP/1.1 names one host
/// (RFC 9112, section 3.2).
fn refused_head(request: &Request<Incoming>) -> Option<StatusCode> {
    let is_host = |host: &HeaderValue| {
        host.is_empty() || host.to_str().is_ok_and(|host| host.parse::<Authority>().is_ok())
    };
    let hosts: Vec<_> = request.headers().get_all(HOST).iter().collect();
    let is_named = match (request.version(), &*hosts) {
        (Version::HTTP_11, []) => false,
        (_, []) => true,
        (_, [host]) => is_host(host),
        (_, [..]) => false,
    };
    if !is_named {
        return Some(StatusCode::BAD_REQUEST);
    }
    let is_too_long = head_length(request) > HEAD_LIMIT as usize;
    is_too_long.then_some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
}

/// Whether the client sends the body only once it is read.
fn is_held_back(request: &Request<Incoming>) -> bool {
    let expected = request.headers().get(EXPECT);
    expected.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

/// The length of a head, as HTTP/1 writes it. hyper compares its limit only with a head that is
/// incomplete, so a head that comes in few reads may be nearly twice as long.
fn head_length(request: &Request<Incoming>) -> usize {
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    headers.sum::<usize>() + request.uri().path_and_query().map_or(0, |path| path.as_str().len())
}

/// Splits off a request's body. The body is tracked over HTTP/1 only: over HTTP/2 an unread body
/// ends with its stream.
fn split(request: Request<Incoming>, is_http2: bool) -> (Body, Unread, Request<()>) {
    let is_held_back = is_held_back(&request);
    let (head, incoming) = request.into_parts();
    let (body, unread) = if is_http2 {
        (Body::new(incoming), Unread::nothing())
    } else {
        request_body::track(incoming, is_held_back)
    };
    (body, unread, Request::from_parts(head, ()))
}
