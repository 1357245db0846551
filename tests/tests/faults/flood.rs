//! Ten thousand connections that cost their owner next to nothing: heads that do not end, and
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
/// What a connection of the flood does.
#[derive(Clone, Copy)]
enum Kind {
    /// Sends a head slowly.
    Head,
    /// Reads no reply.
    Reader,
}

/// Connections that are opened at the same time.
const OPENING: usize = 64;
/// What a slow reader asks for at once: more than the sockets on both sides take.
const PIPELINED: usize = 6;
/// The most that a connection may add to the gateway's memory, in bytes.
const CONNECTION_MEMORY: u64 = 64 * 1024;
/// Files that the gateway may still have open when it has closed the flood's connections.
const OTHER_FILES: usize = 100;
/// Until when it has closed them: its limit for a reader is a minute.
const RELEASED: Duration = Duration::from_mins(2);
const SECOND: Duration = Duration::from_secs(1);

/// A connection with a small window.
async fn connect(gateway: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    socket.connect(gateway).await.expect("the gateway accepts")
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
    // Fails when the gateway closes the connection in the middle of it.
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

    let mut connections = JoinSet::new();
    // The readers first, because the gateway waits longer for them.
    for kind in [Kind::Reader, Kind::Head] {
        // All at once would wait for each other in the queue of the listener.
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
        "failed": failed, "slowest_ms": slowest.as_millis(), "memory_after": process.memory(),
    });
    report::write(&markdown(&json), &json);
    assert!(files >= 2 * EACH, "the gateway had {files} files open");
    assert_eq!(failed, 0, "calls of others failed");
    assert!(each <= CONNECTION_MEMORY, "a connection takes {each} bytes");
    assert!(released.is_some(), "connections are still open: {json}");
}

fn markdown(json: &Value) -> String {
    let mebibytes = |name: &str| json[name].as_u64().unwrap_or_default().div_ceil(1024 * 1024);
    format!(
        "{} connections to one gateway: half send a byte of a head each second, half ask for a file {PIPELINED} times and read nothing.\n\n\
         | memory before, at most, after | for each | files before, at most | heads closed after | all closed after | calls of others that failed | the slowest of them |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n\
         | {}, {}, {} MiB | {} KiB | {}, {} | {} s | {} s | {} | {} ms |\n",
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
