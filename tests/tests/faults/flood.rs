//! Connections that cost their owner next to nothing: a single byte, heads that do not end, and
//! replies that are not read.

use std::{
    net::SocketAddr,
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::{StreamExt as _, stream};
use journeys::{Mesh, Process, RawReply};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::sleep,
};

use crate::report;

/// Connections of each kind.
const EACH: usize = 5_000;
/// The kind of a connection of the flood.
#[derive(Clone, Copy)]
enum Kind {
    /// A connection that sends a request's head slowly.
    Head,
    /// A connection that reads no reply.
    Reader,
}

/// Connections that are opened at the same time.
const OPENING: usize = 64;
/// The number of requests that a slow reader pipelines: more replies than the sockets on both sides
/// hold.
const PIPELINED: usize = 6;
/// The most that a connection may add to the gateway's memory, in bytes.
const CONNECTION_MEMORY: u64 = 64 * 1024;
/// Files that the gateway may still have open when it has closed the flood's connections.
const OTHER_FILES: usize = 100;
/// The time in which the gateway must have closed the flood's connections; its limit for a reader
/// is a minute.
const RELEASED: Duration = Duration::from_mins(2);
const SECOND: Duration = Duration::from_secs(1);
/// The time in which the processor time of waiting connections is measured.
const WAITING: Duration = Duration::from_secs(5);
/// The most processor time that a waiting connection may cost in a second.
const WAITING_COST: Duration = Duration::from_micros(1);

/// Opens a connection with a small receive window.
async fn connect(gateway: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    socket.connect(gateway).await.expect("the gateway accepts")
}

/// The processor time that the gateway uses in [`WAITING`].
async fn used(process: &Process) -> Duration {
    let before = process.processor_time();
    sleep(WAITING).await;
    process.processor_time().saturating_sub(before)
}

/// The processor time that connections cost that send one byte: while they are open, and after they
/// were closed.
async fn one_byte(gateway: SocketAddr, process: &Process) -> [Duration; 2] {
    let opening = stream::iter(0..EACH).map(async |_| {
        let mut connection = connect(gateway).await;
        connection.write_all(b"P").await.expect("the gateway reads");
        connection
    });
    let connections: Vec<_> = opening.buffer_unordered(OPENING).collect().await;
    // Waits until the gateway has read the bytes, and below until it has seen the connections end.
    sleep(SECOND).await;
    let open = used(process).await;
    drop(connections);
    sleep(SECOND).await;
    [open, used(process).await]
}

/// Sends a byte of a head each second, until the gateway closes the connection.
async fn send_head_slowly(mut connection: TcpStream) {
    let head = "GET /api/games/list HTTP/1.1\r\nhost: playon\r\nx-padding: ";
    let mut sent = connection.write_all(head.as_bytes()).await;
    while sent.is_ok() {
        sleep(SECOND).await;
        sent = connection.write_all(b"a").await;
    }
}

/// Asks for a file many times, and reads nothing.
async fn read_nothing(mut connection: TcpStream, file: String) {
    let calls = format!("GET {file} HTTP/1.1\r\nhost: playon\r\n\r\n").repeat(PIPELINED);
    // Fails when the gateway closes the connection during the write.
    let _ = connection.write_all(calls.as_bytes()).await;
    std::future::pending::<()>().await;
}

/// The path of the page's script.
async fn script(mesh: &Mesh) -> String {
    let page = RawReply::to(mesh.call(Method::GET, "/")).await;
    let (_, rest) = page.text().split_once("src=\"/assets/").expect("a script");
    format!("/assets/{}", rest.split('"').next().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes, on a mesh of its own: cargo xtask faults --only flood"]
async fn flood() {
    let mesh = Mesh::alone();
    let process = Process::find(&mesh, "gateway");
    let gateway: SocketAddr = mesh.url().trim_start_matches("http://").parse().unwrap();
    let file = script(&mesh).await;
    let before = (process.memory(), process.open_files());
    let idle = used(&process).await;
    let waiting = one_byte(gateway, &process).await.map(|cost| cost.saturating_sub(idle));

    let mut connections = JoinSet::new();
    // The readers come first, because the gateway waits longer for them.
    for kind in [Kind::Reader, Kind::Head] {
        // A limited number at a time, because more would wait for each other in the listener's
        // queue.
        let opening = stream::iter(0..EACH).map(|_| connect(gateway)).buffer_unordered(OPENING);
        let mut opening = pin!(opening);
        while let Some(connection) = opening.next().await {
            match kind {
                Kind::Reader => connections.spawn(read_nothing(connection, file.clone())),
                Kind::Head => connections.spawn(send_head_slowly(connection)),
            };
        }
    }
    let begun = Instant::now();
    let (mut memory, mut files, mut failed, mut slowest) = (0, 0, 0, Duration::ZERO);
    let mut heads_gone = None;
    let released = loop {
        let call = Instant::now();
        let reply = mesh.call(Method::GET, "/api/games/list").send().await;
        failed += usize::from(!reply.is_ok_and(|reply| reply.status() == 200));
        slowest = slowest.max(call.elapsed());
        let open = process.open_files();
        (memory, files) = (memory.max(process.memory()), files.max(open));
        let seconds = begun.elapsed().as_secs();
        if files >= 2 * EACH && open <= before.1 + EACH + OTHER_FILES {
            heads_gone.get_or_insert(seconds);
        }
        if files >= 2 * EACH && open <= before.1 + OTHER_FILES {
            break Some(seconds);
        }
        if begun.elapsed() > RELEASED {
            break None;
        }
        sleep(SECOND / 10).await;
    };
    connections.shutdown().await;

    let each = memory.saturating_sub(before.0) / u64::try_from(2 * EACH).unwrap();
    let json = json!({
        "connections": 2 * EACH, "memory_before": before.0, "memory": memory,
        "connection_memory": each, "files_before": before.1, "files": files,
        "heads_gone": heads_gone, "released": released,
        "one_byte_ms": waiting[0].as_millis(), "closed_ms": waiting[1].as_millis(),
        "failed": failed, "slowest_ms": slowest.as_millis(), "memory_after": process.memory(),
    });
    report::write(&markdown(&json), &json);
    assert!(files >= 2 * EACH, "the gateway had {files} files open");
    assert_eq!(failed, 0, "calls of others failed");
    assert!(each <= CONNECTION_MEMORY, "a connection takes {each} bytes");
    assert!(released.is_some(), "connections are still open: {json}");
    let most =
        WAITING_COST * u32::try_from(EACH).unwrap() * u32::try_from(WAITING.as_secs()).unwrap();
    assert!(waiting.iter().all(|cost| *cost <= most), "one byte costs {waiting:?} in {WAITING:?}");
}

fn markdown(json: &Value) -> String {
    let mebibytes = |name: &str| json[name].as_u64().unwrap_or_default().div_ceil(1024 * 1024);
    format!(
        "{EACH} connections with one byte cost the gateway {} ms of a processor in {} s more than none, and {} ms after they were closed. \
         {} connections to one gateway: half send a byte of a head each second, half ask for a file {PIPELINED} times and read nothing.\n\n\
         | memory before, at most, after | for each | files before, at most | heads closed after | all closed after | calls of others that failed | the slowest of them |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n\
         | {}, {}, {} MiB | {} KiB | {}, {} | {} s | {} s | {} | {} ms |\n",
        json["one_byte_ms"],
        WAITING.as_secs(),
        json["closed_ms"],
        json["connections"],
        mebibytes("memory_before"),
        mebibytes("memory"),
        mebibytes("memory_after"),
        json["connection_memory"].as_u64().map_or(0, |bytes| bytes.div_ceil(1024)),
        json["files_before"],
        json["files"],
        json["heads_gone"],
        json["released"],
        json["failed"],
        json["slowest_ms"],
    )
}
