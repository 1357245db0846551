//! Accepts connections from processes that prove a name with an edge to this one.

use std::{
    collections::HashMap,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use futures_util::{Stream, stream};
use metrics::counter;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::{Instant, timeout},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tonic::transport::server::Connected;
use tracing::warn;
use types::Clock;

use super::{
    Certificates,
    name::{Identity, identity},
};
use crate::{Shutdown, edges};

/// Longest that a handshake may take.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);
/// Most connections, handshakes included. Each caller has a few.
const CONNECTIONS: usize = 1_024;
/// The pause after the listener failed, for example without free file descriptors.
const RETRY: Duration = Duration::from_millis(100);

/// How often one kind of refusal is logged.
const REPORT_INTERVAL: Duration = Duration::from_mins(1);
/// Kinds of refusals that are logged within that time at most.
const REPORTS: usize = 64;

/// The process at the other end of a connection, as its certificate proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The process: the caller of one of the [`edges`].
    pub name: &'static str,
    /// The operator's certificate, if the process is the operators' program.
    pub operator: Option<Arc<OperatorCertificate>>,
}

/// The certificate with which an operator calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorCertificate {
    /// The operator whom it names, in small letters.
    pub operator: Arc<str>,
    /// The serial number in hexadecimal digits, without leading zeros.
    pub serial: String,
    /// When the certificate expires; a connection may last longer.
    pub expires_at: Instant,
}

/// Connections whose peers have an edge to `callee`. All others are closed before
/// anything is read, counted and logged.
pub fn incoming(
    listener: TcpListener,
    certificates: Certificates,
    callee: &'static str,
    shutdown: &Shutdown,
) -> impl Stream<Item = io::Result<Connection>> + Send + use<> {
    let (sender, receiver) = mpsc::channel(16);
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    let reported = Arc::new(Reported::default());
    let stop = shutdown.clone();
    shutdown.spawn("accept", async move {
        loop {
            let accept = async {
                let permit = Arc::clone(&permits).acquire_owned().await;
                (permit, listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                accepted = accept => accepted,
                () = stop.stopping() => return,
            };
            let Ok(permit) = permit else { return };
            let tcp = match accepted {
                Ok((tcp, _)) => tcp,
                Err(error) => {
                    warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            };
            let (config, sender) = (certificates.server(), sender.clone());
            let reported = Arc::clone(&reported);
            stop.spawn_contained("handshake", async move {
                match handshake(tcp, TlsAcceptor::from(config), callee).await {
                    // Fails only when the server has ended.
                    Ok((tls, peer)) => {
                        let _ = sender.send(Ok(Connection { tls, peer, _permit: permit })).await;
                    }
                    Err(refused) => refused.report(&reported),
                }
            });
        }
    });
    stream::unfold(receiver, |mut receiver| async { Some((receiver.recv().await?, receiver)) })
}

async fn handshake(
    tcp: TcpStream,
    acceptor: TlsAcceptor,
    callee: &'static str,
) -> Result<(TlsStream<TcpStream>, Peer), Refused> {
    // Without this option small replies wait for the peer's acknowledgement.
    tcp.set_nodelay(true).map_err(Refused::Handshake)?;
    let tls = timeout(HANDSHAKE_LIMIT, acceptor.accept(tcp))
        .await
        .map_err(|_| Refused::Handshake(io::ErrorKind::TimedOut.into()))?
        .map_err(Refused::of)?;
    let (_, session) = tls.get_ref();
    let certificate = session.peer_certificates().and_then(<[_]>::first);
    let identity = certificate.and_then(|der| identity(der).ok());
    let identity =
        identity.ok_or_else(|| Refused::Certificate("it has no single DNS name".to_owned()))?;
    let Some(edge) = edges::find(&identity.name, callee) else {
        return Err(Refused::Edge(identity.name));
    };
    let operator = (edge.caller == edges::OPERATORS).then(|| Arc::new(identity.into()));
    Ok((tls, Peer { name: edge.caller, operator }))
}

impl From<Identity> for OperatorCertificate {
    fn from(identity: Identity) -> Self {
        let left = identity.expires_at - Clock::system().now().unix_timestamp();
        Self {
            operator: identity.common_name.into(),
            serial: identity.serial,
            expires_at: Instant::now() + Duration::from_secs(left.try_into().unwrap_or(0)),
        }
    }
}

/// When each kind of refusal was last logged.
#[derive(Default)]
struct Reported(Mutex<HashMap<String, Instant>>);

impl Reported {
    fn is_due(&self, reason: &str, cause: &str) -> bool {
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        logged.retain(|_, at| at.elapsed() < REPORT_INTERVAL);
        // Causes are few: errors of rustls, and names that our authority certified.
        let due = logged.len() < REPORTS && !logged.contains_key(&format!("{reason} {cause}"));
        if due {
            logged.insert(format!("{reason} {cause}"), Instant::now());
        }
        due
    }
}

/// Why a connection is refused.
#[derive(Debug)]
enum Refused {
    /// The peer has no certificate, or one that cannot be verified.
    Certificate(String),
    /// The peer is verified, but has no edge to this process.
    Edge(String),
    /// The peer does not speak the mesh's TLS, or is too slow.
    Handshake(io::Error),
}

impl Refused {
    fn of(error: io::Error) -> Self {
        match error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>()) {
            // The refusal of our own verifier is a sentence, which rustls would not print.
            Some(rustls::Error::InvalidCertificate(rustls::CertificateError::Other(other))) => {
                Self::Certificate(other.0.to_string())
            }
            Some(
                cause @ (rustls::Error::InvalidCertificate(_)
                | rustls::Error::NoCertificatesPresented),
            ) => Self::Certificate(cause.to_string()),
            _ => Self::Handshake(error),
        }
    }

    /// Counts the refusal, and logs it once a minute for each reason and cause, so that a process
    /// that reaches the port cannot fill the log.
    fn report(self, reported: &Reported) {
        let (reason, cause) = match self {
            Self::Certificate(cause) => ("certificate", cause),
            Self::Edge(name) => ("edge", format!("{name} has no edge to this process")),
            // A probe of the port: it connects and closes.
            Self::Handshake(error) if error.kind() == io::ErrorKind::UnexpectedEof => return,
            Self::Handshake(error) => ("handshake", error.to_string()),
        };
        counter!("tls_connections_refused_total", "reason" => reason).increment(1);
        if reported.is_due(reason, &cause) {
            warn!(reason, cause, "refused a connection");
        }
    }
}

/// A connection from a verified peer.
pub struct Connection {
    tls: TlsStream<TcpStream>,
    peer: Peer,
    _permit: OwnedSemaphorePermit,
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tls).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.tls).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.tls).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.tls.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tls).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tls).poll_shutdown(cx)
    }
}
