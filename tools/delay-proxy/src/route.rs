//! One route: connections to an address, forwarded to another address.

use std::{
    io,
    net::SocketAddr,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

/// Bytes that are read at a time.
const CHUNK: usize = 16 * 1024;
/// Most chunks of one connection that wait for their time; beyond it no more are read.
const QUEUE: usize = 256;
/// The pause after `accept` failed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A route that forwards connections to `from` on to `to`.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    pub(crate) name: String,
    pub(crate) from: SocketAddr,
    to: SocketAddr,
    /// How long the bytes of replies are kept, in milliseconds.
    delay: Arc<AtomicU64>,
}

impl FromStr for Route {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split('=');
        let (Some(name), Some(from), Some(to), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("a route looks like NAME=127.0.0.1:1=127.0.0.1:2".to_owned());
        };
        let address = |text: &str| text.parse().map_err(|error| format!("{text}: {error}"));
        let (from, to) = (address(from)?, address(to)?);
        Ok(Self { name: name.to_owned(), from, to, delay: Arc::default() })
    }
}

impl Route {
    /// Delays replies from now on, also on open connections.
    pub(crate) fn set_delay(&self, delay: Duration) {
        let milliseconds = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        self.delay.store(milliseconds, Ordering::Relaxed);
    }

    /// Forwards connections until the process ends.
    pub(crate) async fn serve(self, listener: TcpListener) {
        let mut carried = JoinSet::new();
        loop {
            while carried.try_join_next().is_some() {}
            match listener.accept().await {
                Ok((client, _)) => {
                    let route = self.clone();
                    // A broken connection is the client's and the server's to report.
                    carried.spawn(async move { route.carry(client).await.ok() });
                }
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
    }

    /// Forwards a connection. Without a server, the client's connection is closed at once.
    async fn carry(&self, client: TcpStream) -> io::Result<()> {
        let server = TcpStream::connect(self.to).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let (client_read, client_write) = client.into_split();
        let (server_read, server_write) = server.into_split();
        let at_once = AtomicU64::new(0);
        // An error of one direction drops both, and so closes both connections.
        tokio::try_join!(
            copy(client_read, server_write, &at_once),
            copy(server_read, client_write, &self.delay),
        )?;
        Ok(())
    }
}

/// Copies until the bytes end, and passes the end on.
async fn copy(from: OwnedReadHalf, to: OwnedWriteHalf, delay: &AtomicU64) -> io::Result<()> {
    let (queue, due) = mpsc::channel(QUEUE);
    tokio::try_join!(read(from, queue, delay), write(due, to))?;
    Ok(())
}

/// Bytes, and when they may be written.
type Due = (Instant, Vec<u8>);

async fn read(
    mut from: OwnedReadHalf,
    queue: mpsc::Sender<Due>,
    delay: &AtomicU64,
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        let delay = Duration::from_millis(delay.load(Ordering::Relaxed));
        let chunk = buffer.get(..count).unwrap_or_default().to_vec();
        if queue.send((Instant::now() + delay, chunk)).await.is_err() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
    }
}

async fn write(mut due: mpsc::Receiver<Due>, mut to: OwnedWriteHalf) -> io::Result<()> {
    while let Some((at, chunk)) = due.recv().await {
        sleep_until(at).await;
        to.write_all(&chunk).await?;
    }
    to.shutdown().await
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    async fn listener() -> (TcpListener, SocketAddr) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        (listener, address)
    }

    /// A route to a server that sends back what it reads.
    async fn route(tasks: &mut JoinSet<()>) -> Route {
        let (server, to) = listener().await;
        tasks.spawn(async move {
            let (mut caller, _) = server.accept().await.unwrap();
            let (mut read, mut write) = caller.split();
            tokio::io::copy(&mut read, &mut write).await.unwrap();
        });
        let (from, address) = listener().await;
        let route: Route = format!("echo={address}={to}").parse().unwrap();
        tasks.spawn(route.clone().serve(from));
        route
    }

    async fn echo(stream: &mut TcpStream, text: &[u8]) -> Duration {
        let begun = Instant::now();
        stream.write_all(text).await.unwrap();
        let mut reply = vec![0; text.len()];
        stream.read_exact(&mut reply).await.unwrap();
        assert_eq!(reply, text);
        begun.elapsed()
    }

    #[tokio::test]
    async fn a_delay_begins_and_ends_on_an_open_connection() {
        let mut tasks = JoinSet::new();
        let route = route(&mut tasks).await;
        let mut stream = TcpStream::connect(route.from).await.unwrap();
        assert!(echo(&mut stream, b"one").await < Duration::from_millis(400));
        route.set_delay(Duration::from_millis(500));
        assert!(echo(&mut stream, b"two").await >= Duration::from_millis(500));
        route.set_delay(Duration::ZERO);
        assert!(echo(&mut stream, b"three").await < Duration::from_millis(400));
    }

    #[tokio::test]
    async fn many_bytes_pass_in_order_and_the_end_is_passed_on() {
        let mut tasks = JoinSet::new();
        let route = route(&mut tasks).await;
        let sent: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_be_bytes).collect();
        let (mut read, mut write) = TcpStream::connect(route.from).await.unwrap().into_split();
        let expected = sent.clone();
        tasks.spawn(async move {
            write.write_all(&sent).await.unwrap();
            write.shutdown().await.unwrap();
        });
        let mut received = Vec::new();
        read.read_to_end(&mut received).await.unwrap();
        assert!(received == expected);
    }

    #[tokio::test]
    async fn without_a_server_the_connection_is_closed() {
        let (closed, to) = listener().await;
        drop(closed);
        let (from, address) = listener().await;
        let route: Route = format!("gone={address}={to}").parse().unwrap();
        let mut tasks = JoinSet::new();
        tasks.spawn(route.serve(from));
        let mut stream = TcpStream::connect(address).await.unwrap();
        assert_eq!(stream.read(&mut [0]).await.unwrap_or(0), 0);
    }

    #[test]
    fn a_route_has_a_name_and_two_addresses() {
        for text in ["", "a", "a=127.0.0.1:1", "a=127.0.0.1:1=x", "a=127.0.0.1:1=127.0.0.1:2=b"] {
            assert!(text.parse::<Route>().is_err(), "{text}");
        }
    }
}
