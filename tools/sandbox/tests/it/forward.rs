//! The program `forward`, as a pod runs it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use sandbox::Options;

/// The running program, which is stopped when this is dropped.
struct Forward {
    child: Child,
    /// The log is kept open, because the program logs more than its address.
    _log: BufReader<ChildStdout>,
}

impl Drop for Forward {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Starts the program on a free port, and returns the address that it logs.
fn start(target: &str) -> (Forward, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_forward"))
        .arg(format!("127.0.0.1:0={target}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut log = BufReader::new(child.stdout.take().unwrap());
    log.read_line(&mut line).unwrap();
    let logged: serde_json::Value = serde_json::from_str(&line).unwrap();
    (Forward { child, _log: log }, logged["listen"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_call_to_loopback_is_answered_by_the_sandbox() {
    let sandbox = sandbox::start(Options::default()).await.unwrap();
    let (_forward, listen) = start(&sandbox.addr.to_string());
    for _ in 0..2 {
        let reply = reqwest::get(format!("http://{listen}/healthz")).await.unwrap();
        assert!(reply.status().is_success());
    }
    sandbox.shutdown().await;
}

#[tokio::test]
async fn a_target_that_is_down_closes_the_connection() {
    let sandbox = sandbox::start(Options::default()).await.unwrap();
    let target = sandbox.addr.to_string();
    sandbox.shutdown().await;
    let (_forward, listen) = start(&target);
    assert!(reqwest::get(format!("http://{listen}/healthz")).await.is_err());
}
