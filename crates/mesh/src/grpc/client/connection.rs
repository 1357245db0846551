//! One connection to one replica of an upstream.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use http::{Request, Response};
use hyper::{
    body::Incoming,
    client::conn::http2::{self, SendRequest},
};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::pki_types::ServerName;
use tokio::{net::TcpStream, sync::SetOnce, time::timeout};
use tokio_rustls::TlsConnector;
use tokio_util::io::InspectReader;
use tonic::body::Body;

use crate::tls::Certificates;

/// Longest that opening a connection may take, TLS included.
const OPEN_LIMIT: Duration = Duration::from_secs(2);
/// How often a connection is pinged, so that a replica that froze or vanished is noticed.
const PING_INTERVAL: Duration = Duration::from_secs(4);
/// Without a reply to a ping for this long the connection is dead.
const PING_LIMIT: Duration = Duration::from_secs(3);
/// HTTP/2 flow-control window of a connection, in bytes.
const WINDOW: u32 = 4 << 20;

/// An open connection. It ends when the last clone is dropped and its calls have ended.
pub(super) struct Connection {
    sender: SendRequest<Body>,
    in_flight: AtomicUsize,
    closed: Arc<SetOnce<()>>,
}

/// Why a request has no reply.
pub(super) enum SendError {
    /// The request was not sent, and may be sent on another connection.
    Unsent(Box<Request<Body>>),
    /// The request may have been received.
    Lost(hyper::Error),
}

impl Connection {
    /// Connects to an address, and verifies that `callee` is there.
    pub(super) async fn open(
        address: SocketAddr,
        callee: &'static str,
        certificates: &Certificates,
    ) -> anyhow::Result<Self> {
        let opening = async {
            let tcp = TcpStream::connect(address).await?;
            tcp.set_nodelay(true)?;
            let name = ServerName::try_from(callee)?;
            let tls = TlsConnector::from(certificates.client()).connect(name, tcp).await?;
            let alpn = tls.get_ref().1.alpn_protocol();
            ensure!(alpn == Some(b"h2".as_slice()), "the peer does not speak HTTP/2");
            // In TLS 1.3 the handshake ends here before the callee has verified our
            // certificate; its first byte shows that it has.
            let greeted = Arc::new(SetOnce::new());
            let on_read = Arc::clone(&greeted);
            let tls = InspectReader::new(tls, move |_| {
                if !on_read.initialized() {
                    let _ = on_read.set(());
                }
            });
            let (sender, driver) = http2::Builder::new(TokioExecutor::new())
                .timer(TokioTimer::new())
                .keep_alive_interval(PING_INTERVAL)
                .keep_alive_timeout(PING_LIMIT)
                .keep_alive_while_idle(true)
                .initial_connection_window_size(WINDOW)
                .handshake(TokioIo::new(tls))
                .await?;
            let closed = Arc::new(SetOnce::new());
            let ended = Arc::clone(&closed);
            spawn(async move {
                // How the connection ended shows in its calls.
                let _ = driver.await;
                let _ = ended.set(());
            });
            tokio::select! {
                () = greeted.wait() => {}
                () = closed.wait() => bail!("the peer closed the connection: it refuses our certificate"),
            }
            Ok(Self { sender, in_flight: AtomicUsize::new(0), closed })
        };
        timeout(OPEN_LIMIT, opening).await.context("no reply in time")?
    }

    /// Sends a request, and waits for the head of its reply.
    pub(super) async fn send(
        &self,
        request: Request<Body>,
    ) -> Result<Response<Incoming>, SendError> {
        let _in_flight = InFlight::start(&self.in_flight);
        let sent = self.sender.clone().try_send_request(request).await;
        sent.map_err(|mut error| match error.take_message() {
            Some(request) => SendError::Unsent(Box::new(request)),
            None => SendError::Lost(error.into_error()),
        })
    }

    /// Calls that wait for a reply.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Whether the connection takes no more requests.
    pub(super) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Waits until the connection has ended.
    pub(super) async fn closed(&self) {
        self.closed.wait().await;
    }
}

/// Counts a call while it waits, also when its caller goes.
struct InFlight<'a>(&'a AtomicUsize);

impl<'a> InFlight<'a> {
    fn start(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Spawns a task that a stop does not wait for: it serves calls, which the stop waits for,
/// and ends with the last of them.
#[expect(clippy::disallowed_methods, reason = "no work of its own is lost with it")]
pub(super) fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    drop(tokio::spawn(task));
}
