//! The yardstick of reads: an axum server that does nothing but reply.
//!
//! It is a process of its own, as the gateway is, so that both compete with the load
//! generator for the cores in the same way.

use std::{net::Ipv4Addr, process::Stdio};

use anyhow::{Context as _, Result};
use axum::{Json, Router, routing::get};
use serde::Serialize;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
    process::{Child, Command},
};

use crate::{
    address::Target,
    client::{self, HttpRequest},
    load::{Iteration, Workload},
    process::Process,
};

#[derive(Serialize)]
struct Greeting {
    message: &'static str,
}

/// `bench hello`: prints its URL, and serves until its standard input is closed, so that
/// it ends with the process that started it.
pub(crate) async fn serve() -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let line = format!("http://{}\n", listener.local_addr()?);
    let mut output = tokio::io::stdout();
    output.write_all(line.as_bytes()).await?;
    output.flush().await?;
    let router = Router::new().route("/", get(|| async { Json(Greeting { message: "hello" }) }));
    let input_closed = async {
        let mut rest = Vec::new();
        let _ = tokio::io::stdin().read_to_end(&mut rest).await;
    };
    tokio::select! {
        ended = axum::serve(listener, router) => ended.context("the hello server failed"),
        () = input_closed => Ok(()),
    }
}

/// The running server; dropping this ends it.
pub(crate) struct HelloServer {
    pub(crate) target: Target,
    child: Child,
}

impl HelloServer {
    /// Starts this program a second time as the server.
    pub(crate) async fn start() -> Result<Self> {
        let program = std::env::current_exe().context("this program has no path")?;
        let mut child = Command::new(program)
            .arg("hello")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("the hello server did not start")?;
        let output = child.stdout.take().context("the hello server has no output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let target = line.as_deref().and_then(|line| line.parse().ok());
        Ok(Self { target: target.context("the hello server printed no URL")?, child })
    }

    /// The server's process, to be measured; `None` when it has ended.
    pub(crate) fn process(&self) -> Option<Process> {
        self.child.id().map(|pid| Process::new("hello", pid))
    }
}

/// Requests the greeting.
pub(crate) struct GetHello;

impl Workload for GetHello {
    fn request(&self, _: Iteration) -> Result<HttpRequest> {
        client::get("/")
    }
}
