//! The public HTTP server: HTTP/1 and HTTP/2 with limits of connections, calls in flight, request
//! heads, idle time and slow readers, and a graceful stop.
//!
//! docs/decisions/0017 says why it is not a ready-made one.

mod calls;
mod client;
mod connection;
mod limits;
mod request_body;
mod server;
mod stall;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use metrics::counter;
use tokio::{
    net::TcpListener,
    time::{Instant, sleep},
};
use tracing::warn;

pub use self::{
    client::{ClientAddress, ClientNetwork, Networks},
    limits::HttpLimits,
    server::HttpServer,
};
use self::{
    connection::serve_connection,
    limits::{TIMEOUTS, Timeouts},
    server::Server,
};
use crate::Shutdown;

/// How often idle connections are made to read their limit again while connections run
/// short.
const PRESSURE_INTERVAL: Duration = Duration::from_secs(1);
/// The pause after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// The least time between two warnings that connections are refused.
const WARNING_INTERVAL: Duration = Duration::from_secs(10);

/// Serves until the stop; then lets the calls in flight finish.
pub(crate) fn serve(listener: TcpListener, server: HttpServer, shutdown: &Shutdown) {
    serve_within(TIMEOUTS, listener, server, shutdown);
}

fn serve_within(
    timeouts: Timeouts,
    listener: TcpListener,
    server: HttpServer,
    shutdown: &Shutdown,
) {
    let server = Arc::new(Server::new(server, timeouts));
    let stop = shutdown.clone();
    shutdown.spawn("http", async move {
        let (mut eased_at, mut warned_at) = (None::<Instant>, None::<Instant>);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.stopping() => break,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Most likely the process is out of file descriptors.
                    warn!(%error, "a connection was not accepted");
                    sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            if server.connections.run_short() && is_due(&mut eased_at, PRESSURE_INTERVAL) {
                server.pressure.notify_waiters();
            }
            let key = server.limits.key(peer.ip());
            match server.connections.permits.acquire(key) {
                Ok(permit) => {
                    let connection =
                        serve_connection(Arc::clone(&server), stream, peer, permit, stop.clone());
                    stop.spawn_contained("connection", connection);
                }
                // The connection is closed at once, because the stream is dropped.
                Err(reached) => {
                    let reason = reached.reason();
                    counter!("http_connections_refused_total", "reason" => reason).increment(1);
                    if is_due(&mut warned_at, WARNING_INTERVAL) {
                        warn!(reason, "connections are refused");
                    }
                }
            }
        }
    });
}

/// Whether `interval` has passed since this was last true.
fn is_due(last: &mut Option<Instant>, interval: Duration) -> bool {
    let due = last.is_none_or(|last| last.elapsed() >= interval);
    if due {
        *last = Some(Instant::now());
    }
    due
}
