//! A proxy to Postgres that closes all connections at a chosen statement, as the database sees them
//! when the service is killed there.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use mesh::args::SecretUrl;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, tcp::OwnedReadHalf},
};
use tokio_util::sync::CancellationToken;

/// Whether the connections are closed before or after the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The database does not get the statement.
    Before,
    /// The database receives the statement, and its reply is lost.
    After,
}

/// A proxy that closes all connections at a statement.
pub(crate) struct PostgresProxy {
    pub(crate) url: SecretUrl,
    shared: Arc<Shared>,
}

struct Shared {
    upstream: SocketAddr,
    at: usize,
    cut: Cut,
    counts: fn(&str) -> bool,
    /// The statements that were counted.
    seen: Mutex<Vec<String>>,
    dead: CancellationToken,
}

impl PostgresProxy {
    #[expect(clippy::disallowed_methods, reason = "the test's runtime ends its tasks")]
    /// Starts a proxy that closes the connections at statement `at`, from 1, of those that `counts`
    /// accepts.
    pub(crate) async fn start(
        url: &SecretUrl,
        at: usize,
        cut: Cut,
        counts: fn(&str) -> bool,
    ) -> Self {
        let (prefix, rest) = url.expose().split_once('@').unwrap();
        let (address, path) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let own = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            upstream: address.parse().unwrap(),
            at,
            cut,
            counts,
            seen: Mutex::default(),
            dead: CancellationToken::new(),
        });
        let accepting = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if !accepting.dead.is_cancelled() {
                    tokio::spawn(forward(client, Arc::clone(&accepting)));
                }
            }
        });
        Self { url: format!("{prefix}@{own}/{path}").parse().unwrap(), shared }
    }

    /// Whether the connections are closed; new ones are then closed at once.
    pub(crate) fn is_dead(&self) -> bool {
        self.shared.dead.is_cancelled()
    }

    /// Closes all connections now.
    pub(crate) fn kill(&self) {
        self.shared.dead.cancel();
    }

    /// The statements that were counted.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.shared.seen.lock().unwrap().clone()
    }
}

async fn forward(client: TcpStream, shared: Arc<Shared>) {
    let Ok(server) = TcpStream::connect(shared.upstream).await else { return };
    let (from_client, mut to_client) = client.into_split();
    let (mut from_server, to_server) = server.into_split();
    let replies = tokio::io::copy(&mut from_server, &mut to_client);
    tokio::select! {
        _ = forward_statements(from_client, to_server, &shared) => {}
        _ = replies => {}
        () = shared.dead.cancelled() => {}
    }
}

/// Forwards the messages of the frontend, and counts the statements that it executes.
async fn forward_statements(
    mut from: OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    shared: &Shared,
) -> std::io::Result<()> {
    // The startup messages have no type.
    loop {
        let mut head = [0; 8];
        from.read_exact(&mut head).await?;
        let [a, b, c, d, code @ ..] = head;
        let mut body = vec![0; u32::from_be_bytes([a, b, c, d]) as usize - 8];
        from.read_exact(&mut body).await?;
        to.write_all(&[head.as_slice(), &body].concat()).await?;
        // The loop ends at the startup message. Before it the client may request TLS, which the
        // server refuses.
        if u32::from_be_bytes(code) == 196_608 {
            break;
        }
    }
    let (mut prepared, mut portal) = (HashMap::new(), String::new());
    loop {
        let mut head = [0; 5];
        from.read_exact(&mut head).await?;
        let [kind, a, b, c, d] = head;
        let mut body = vec![0; u32::from_be_bytes([a, b, c, d]) as usize - 4];
        from.read_exact(&mut body).await?;
        let text = |from: usize| {
            let end = body[from..].iter().position(|byte| *byte == 0).unwrap_or(0);
            String::from_utf8_lossy(&body[from..from + end]).into_owned()
        };
        let statement = match kind {
            b'Q' => Some(text(0)),
            b'P' => {
                let name = text(0);
                let sql = text(name.len() + 1);
                prepared.insert(name, sql);
                None
            }
            b'B' => {
                let portal_name = text(0);
                portal = prepared.get(&text(portal_name.len() + 1)).cloned().unwrap_or_default();
                None
            }
            b'E' => Some(portal.clone()),
            _ => None,
        };
        let message = [head.as_slice(), &body].concat();
        let cuts = statement.filter(|sql| (shared.counts)(sql)).is_some_and(|sql| {
            let mut seen = shared.seen.lock().unwrap();
            seen.push(sql);
            seen.len() == shared.at
        });
        if !cuts {
            to.write_all(&message).await?;
            continue;
        }
        if shared.cut == Cut::After {
            // A Sync is sent with the statement, so that the server executes it.
            let sync: &[u8] = if kind == b'E' { b"S\0\0\0\x04" } else { b"" };
            to.write_all(&[message.as_slice(), sync].concat()).await?;
            // The server reads the bytes that it has received before it sees the end of the stream.
            to.shutdown().await?;
        }
        shared.dead.cancel();
        return Ok(());
    }
}
