//! Plain HTTP towards the world, with limits that a public door needs: how many
//! connections, how long a request's head may take, how long a stop may take.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, extract::ConnectInfo};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tower::ServiceExt;
use tracing::{debug, warn};

use crate::Shutdown;

/// Connections at once; more wait in the kernel's queue.
const CONNECTIONS: usize = 10_000;
/// Longest that the head of a request may take, so that a connection cannot be
/// held open by a byte now and then.
const HEAD_LIMIT: Duration = Duration::from_secs(15);
/// How often an idle HTTP/2 connection is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Calls and streams at once on one HTTP/2 connection: one browser, or a proxy.
const STREAMS_PER_CONNECTION: u32 = 1_000;

/// Serves until the stop; then lets what is under way finish.
pub(crate) fn serve(listener: TcpListener, router: Router, shutdown: &Shutdown) {
    let stop = shutdown.clone();
    shutdown.spawn("http", async move {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let graceful = GracefulShutdown::new();
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { break };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.stopping() => break,
            };
            match accepted {
                Ok((stream, peer)) => {
                    open(stream, peer, router.clone(), place, &graceful, &stop);
                }
                Err(error) => {
                    // Out of file descriptors, most likely: give some back first.
                    warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
        graceful.shutdown().await;
    });
}

fn open(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    place: OwnedSemaphorePermit,
    graceful: &GracefulShutdown,
    stop: &Shutdown,
) {
    // Replies are small and waited for.
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |mut request: http::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.map(axum::body::Body::new)
    });
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_LIMIT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .max_concurrent_streams(STREAMS_PER_CONNECTION);
    let connection = builder
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .into_owned();
    let connection = graceful.watch(connection);
    stop.spawn_contained("connection", async move {
        if let Err(error) = connection.await {
            debug!(error, "a connection broke");
        }
        drop(place);
    });
}
