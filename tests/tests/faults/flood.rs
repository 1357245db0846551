//! Connections that cost their owner next to nothing: silent ones, a single byte, heads that do not
//! end, and replies that are not read.

use std::{
    fmt::Write as _,
    net::{Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

use futures_util::{StreamExt as _, stream};
use journeys::{Mesh, Process, RawReply};
use nix::sys::resource::{Resource, getrlimit};
use reqwest::Method;
use serde::Serialize;
use serde_json::json;
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::{interval, sleep},
};

use crate::report;

/// Connections of each kind, unless the limit of open files is lower (`ulimit -n`). A gateway takes
/// 25,000, and others' calls need a few.
const MOST: usize = 24_900;
/// The fewest connections of each kind that are a flood.
const LEAST: usize = 10_000;
/// Files that the test and the gateway may each have open beside the flood's connections.
const OTHER_FILES: usize = 1_000;
/// Connections that are opened at the same time: more would wait for each other in the listener's
/// queue.
const OPENING: usize = 64;
/// The port of the first connection.
const FIRST_PORT: u16 = 25_000;
/// The number of requests that a slow reader pipelines: more replies than the sockets on both sides
/// hold.
const PIPELINED: usize = 6;
/// Connections that may still be open when the gateway has closed the flood's: those of others.
const OTHERS: usize = 100;
const SECOND: Duration = Duration::from_secs(1);
/// The time in which the cost of connections and the calls of others are measured.
const MEASURED: Duration = Duration::from_secs(5);
/// The time between two calls of others.
const CALL_EVERY: Duration = Duration::from_millis(10);

/// The most that a connection may add to the gateway's memory, in bytes.
const MEMORY: u64 = 64 * 1024;
/// The most processor time that a connection may cost in a second while nothing is sent on it.
const WAITING_COST: Duration = Duration::from_micros(1);
/// The longest that 99 in 100 calls of others may take.
const P99: Duration = Duration::from_millis(20);
/// The time in which the gateway must have closed the flood's connections; its limit for a reader
/// is a minute.
const RELEASED: Duration = Duration::from_mins(2);

/// The kind of a connection of the flood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Kind {
    /// Nothing is sent.
    Silent,
    /// One byte is sent.
    OneByte,
    /// One byte is sent, and the connection is closed.
    Closed,
    /// A request's head is sent, a byte a second.
    SlowHead,
    /// A file is asked for many times, and no reply is read.
    Reader,
}

impl Kind {
    const ALL: [Self; 5] =
        [Self::Silent, Self::OneByte, Self::Closed, Self::SlowHead, Self::Reader];

    const fn title(self) -> &'static str {
        match self {
            Self::Silent => "nothing is sent",
            Self::OneByte => "one byte",
            Self::Closed => "one byte, then closed",
            Self::SlowHead => "a head, a byte a second",
            Self::Reader => "no reply is read",
        }
    }

    /// An address of the machine for each kind, because the ports of one do not suffice for all.
    const fn address(self) -> Ipv4Addr {
        Ipv4Addr::new(127, 0, 1, self as u8 + 1)
    }

    /// Uses a connection until the test ends it, or the gateway.
    async fn hold(self, mut connection: TcpStream, file: &str) {
        let calls = format!("GET {file} HTTP/1.1\r\nhost: playon\r\n\r\n");
        let sent = match self {
            Self::Silent => Ok(()),
            Self::OneByte | Self::Closed => connection.write_all(b"P").await,
            Self::SlowHead => {
                // A head without the empty line that ends it.
                let head = calls.strip_suffix("\r\n").unwrap();
                let mut sent = connection.write_all(head.as_bytes()).await;
                while sent.is_ok() {
                    sleep(SECOND).await;
                    sent = connection.write_all(b"a").await;
                }
                sent
            }
            Self::Reader => connection.write_all(calls.repeat(PIPELINED).as_bytes()).await,
        };
        // A write fails when the gateway has closed the connection.
        if sent.is_ok() && self != Self::Closed {
            std::future::pending::<()>().await;
        }
    }
}

/// What the connections of a kind cost.
#[derive(Debug, Serialize)]
struct Cost {
    kind: Kind,
    /// The gateway's memory, in bytes for each connection.
    memory: u64,
    /// Processor time of a connection in a second, in nanoseconds.
    processor_ns: u128,
    /// Calls of others that failed.
    failed: usize,
    p99_ms: u128,
    slowest_ms: u128,
    /// Seconds until the gateway had closed all connections.
    released: Option<u64>,
}

/// The calls of others in [`MEASURED`], and the processor time that the gateway used.
struct Measured {
    failed: usize,
    p99: Duration,
    slowest: Duration,
    processor: Duration,
}

struct Flood {
    /// The number of connections of each kind.
    each: usize,
    mesh: Mesh,
    process: Process,
    gateway: SocketAddr,
    /// The path of the page's script.
    file: String,
}

impl Flood {
    async fn new() -> Self {
        let (files, _) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        let each = usize::try_from(files).unwrap().saturating_sub(OTHER_FILES).min(MOST);
        assert!(each >= LEAST, "raise the limit of open files: ulimit -n {}", MOST + OTHER_FILES);
        let mesh = Mesh::alone();
        let page = RawReply::to(mesh.call(Method::GET, "/")).await;
        let (_, rest) = page.text().split_once("src=\"/assets/").expect("a script");
        let file = format!("/assets/{}", rest.split('"').next().unwrap());
        let gateway = mesh.url().trim_start_matches("http://").parse().unwrap();
        Self { each, process: Process::find(&mesh, "gateway"), mesh, gateway, file }
    }

    /// Opens a connection with a small receive window. Each has a port of its own, because the
    /// system takes long to find a free one among many.
    async fn connect(&self, kind: Kind, number: usize) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        // A port may have been another run's a minute ago.
        socket.set_reuseaddr(true).unwrap();
        let port = FIRST_PORT + u16::try_from(number).unwrap();
        socket.bind((kind.address(), port).into()).unwrap_or_else(|e| panic!("{port} {e}"));
        socket.connect(self.gateway).await.expect("the gateway accepts")
    }

    /// Calls the gateway as others do.
    async fn measure(&self) -> Measured {
        let before = self.process.processor_time();
        let (mut times, mut failed) = (Vec::new(), 0);
        let mut ticks = interval(CALL_EVERY);
        let begun = Instant::now();
        while begun.elapsed() < MEASURED {
            // A call that comes late because of the one before it has waited since its tick.
            let due = ticks.tick().await;
            let reply = self.mesh.call(Method::GET, "/api/games/list").send().await;
            failed += usize::from(!reply.is_ok_and(|reply| reply.status() == 200));
            times.push(due.elapsed());
        }
        times.sort_unstable();
        Measured {
            failed,
            p99: times[times.len() * 99 / 100],
            slowest: times[times.len() - 1],
            processor: self.process.processor_time().saturating_sub(before),
        }
    }

    /// Waits until the gateway has read what was sent, and has written what it can.
    async fn settle(&self) {
        loop {
            let before = self.process.processor_time();
            sleep(SECOND).await;
            if self.process.processor_time().saturating_sub(before) < SECOND / 2 {
                return;
            }
        }
    }

    /// Waits until the gateway has closed the connections; `None` when it has not in time.
    async fn released(&self, opened: Instant, files_before: usize) -> Option<u64> {
        while self.process.open_files() > files_before + OTHERS {
            if opened.elapsed() > RELEASED {
                return None;
            }
            sleep(SECOND).await;
        }
        Some(opened.elapsed().as_secs())
    }

    /// Holds connections of one kind. `idle` is the processor time of others' calls alone.
    async fn hold(&self, kind: Kind, before: (u64, usize), idle: Duration) -> Cost {
        let (memory_before, files_before) = before;
        let mut connections = JoinSet::new();
        stream::iter(0..self.each)
            .map(|number| self.connect(kind, number))
            .buffer_unordered(OPENING)
            .for_each(|connection| {
                let file = self.file.clone();
                connections.spawn(async move { kind.hold(connection, &file).await });
                std::future::ready(())
            })
            .await;
        let opened = Instant::now();
        self.settle().await;
        let files = self.process.open_files().saturating_sub(files_before);
        assert!(kind == Kind::Closed || files >= self.each * 9 / 10, "{kind:?}: {files} are open");
        let measured = self.measure().await;
        let memory = self.process.memory().saturating_sub(memory_before);
        let released = self.released(opened, files_before).await;
        connections.shutdown().await;
        let each = u32::try_from(self.each).unwrap();
        let seconds = u32::try_from(MEASURED.as_secs()).unwrap();
        Cost {
            kind,
            memory: memory / u64::from(each),
            processor_ns: (measured.processor.saturating_sub(idle) / each / seconds).as_nanos(),
            failed: measured.failed,
            p99_ms: measured.p99.as_millis(),
            slowest_ms: measured.slowest.as_millis(),
            released,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes, on a mesh of its own: cargo xtask faults --only flood"]
async fn flood() {
    let flood = Flood::new().await;
    let idle = flood.measure().await;
    let before = (flood.process.memory(), flood.process.open_files());
    let mut costs = Vec::new();
    for kind in Kind::ALL {
        costs.push(flood.hold(kind, before, idle.processor).await);
    }
    let json = json!({ "connections": flood.each, "kinds": costs });
    report::write(&markdown(flood.each, &costs, &idle), &json);
    for cost in costs {
        assert_eq!(cost.failed, 0, "calls of others failed: {cost:?}");
        assert!(cost.p99_ms < P99.as_millis(), "others wait: {cost:?}");
        assert!(cost.memory <= MEMORY, "a connection takes much memory: {cost:?}");
        assert!(cost.released.is_some(), "connections are still open: {cost:?}");
        if matches!(cost.kind, Kind::Silent | Kind::OneByte | Kind::Closed) {
            assert!(cost.processor_ns <= WAITING_COST.as_nanos(), "waiting costs: {cost:?}");
        }
    }
}

fn markdown(each: usize, costs: &[Cost], idle: &Measured) -> String {
    let mut text = format!(
        "{each} connections of each kind to one gateway, one kind after the other, while another \
         client calls it every {} ms. Without the flood 99 in 100 of these calls take at most {} ms.\n\n\
         | what the connections do | memory of each | processor time of each in a second | closed by the gateway after | calls of others that failed | p99 | the slowest |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
        CALL_EVERY.as_millis(),
        idle.p99.as_millis(),
    );
    for cost in costs {
        let released = cost.released.map_or("–".to_owned(), |seconds| format!("{seconds} s"));
        writeln!(
            text,
            "| {} | {} KiB | {} ns | {released} | {} | {} ms | {} ms |",
            cost.kind.title(),
            cost.memory.div_ceil(1024),
            cost.processor_ns,
            cost.failed,
            cost.p99_ms,
            cost.slowest_ms,
        )
        .unwrap();
    }
    text
}
