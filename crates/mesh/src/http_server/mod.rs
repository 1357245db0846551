//! Plain HTTP towards the world, with limits that a public door needs: how many
//! connections, for how long one may say nothing, take nothing or do nothing, how long
//! a stop may take.

mod calls;
mod connections;
mod stall;
#[cfg(test)]
mod tests;

use std::{convert::Infallible, net::SocketAddr, pin::pin, time::Duration};

use axum::{Router, extract::ConnectInfo};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::conn::auto,
    service::TowerToHyperService,
};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tower::{ServiceExt, service_fn};
use tracing::{debug, warn};

use self::{
    calls::Calls,
    connections::{ConnectionPermit, Connections},
    stall::StallLimit,
};
use crate::Shutdown;

pub use self::connections::{ConnectionLimits, Subscriber};

/// How often an idle HTTP/2 connection is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Calls and streams at once on one HTTP/2 connection: one browser, or a proxy.
const STREAMS_PER_CONNECTION: u32 = 1_000;
/// Connections beyond a overflow that are told so, or that only probe.
const STANDING: usize = 64;

/// What is served: to those who found a place, and to those who did not.
#[derive(Debug, Clone)]
pub(crate) struct HttpServer {
    pub(crate) router: Router,
    /// Asked in a overflow, once a connection; must cost next to nothing.
    pub(crate) full: Router,
    pub(crate) limits: ConnectionLimits,
}

/// How much time a connection has.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Until its first call has begun.
    first: Duration,
    /// Without a call; more than the minute that balancers keep one for, so that it
    /// is they who hang up.
    idle: Duration,
    /// To read what is still on its way, once it was told to leave.
    leave: Duration,
    /// In which a reader takes nothing of what is there for it.
    stall: Duration,
    /// In all, for one that stands in a overflow.
    standing: Duration,
}

const LIMITS: Limits = Limits {
    first: Duration::from_secs(15),
    idle: Duration::from_secs(75),
    leave: Duration::from_mins(5),
    stall: Duration::from_mins(1),
    standing: Duration::from_secs(2),
};

/// Serves until the stop; then lets what is under way finish.
pub(crate) fn serve(listener: TcpListener, front: HttpServer, shutdown: &Shutdown) {
    serve_within(LIMITS, listener, front, shutdown);
}

fn serve_within(limits: Limits, listener: TcpListener, front: HttpServer, shutdown: &Shutdown) {
    let stop = shutdown.clone();
    shutdown.spawn("http", async move {
        let places = Connections::new(front.limits.clone(), STANDING);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.stopping() => break,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of file descriptors, most likely: give some back first.
                    warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            // Without a place it is hung up at once.
            let Some(place) = places.take(peer.ip()) else { continue };
            let router = if place.is_standing() { &front.full } else { &front.router };
            let connection =
                serve_connection(limits, stream, peer, router.clone(), place, stop.clone());
            stop.spawn_contained("connection", connection);
        }
    });
}

/// One connection, from its first byte to its last.
async fn serve_connection(
    limits: Limits,
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    place: ConnectionPermit,
    stop: Shutdown,
) {
    // Replies are small and waited for.
    let _ = stream.set_nodelay(true);
    // The kernel gives up a reader whose window stays shut, or who is gone.
    let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(limits.stall));
    let calls = Calls::default();
    let service = {
        let calls = calls.clone();
        service_fn(move |mut request: http::Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            let (router, call) = (router.clone(), calls.begin());
            async move {
                let reply = router.oneshot(request.map(axum::body::Body::new)).await;
                let reply = reply.unwrap_or_else(|never: Infallible| match never {});
                Ok::<_, Infallible>(reply.map(|body| call.answer(body)))
            }
        })
    };
    let mut builder = auto::Builder::new(StallLimit { limit: limits.stall, stop: stop.clone() });
    // Heads are timed as all idleness is, below.
    builder.http1().header_read_timeout(None);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .max_concurrent_streams(STREAMS_PER_CONNECTION);
    let standing = place.is_standing();
    if standing {
        builder = builder.http1_only();
        builder.http1().keep_alive(false);
    }
    let connection =
        builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = pin!(connection);
    let mut last_moment = pin!(tokio::time::sleep(limits.standing));
    let mut told_to_leave = false;
    loop {
        let idle = if told_to_leave { limits.leave } else { limits.idle };
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    debug!(error, "a connection broke");
                }
                break;
            }
            () = last_moment.as_mut(), if standing => break,
            () = calls.rest(limits.first, idle) => {
                if told_to_leave || !calls.any_yet() {
                    debug!("a connection without calls was closed");
                    break;
                }
            }
            () = stop.stopping(), if !told_to_leave => {}
        }
        told_to_leave = true;
        calls.note();
        connection.as_mut().graceful_shutdown();
    }
    drop(place);
}
