//! The first yardstick: what axum does on this machine when it does nothing.
//!
//! A process of its own, because the gateway is one: both compete for the cores
//! with the load generator in the same way.

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
    client::{self, Outgoing},
    cpu::Process,
    load::{Ask, Turn},
    target::Target,
};

#[derive(Serialize)]
struct Greeting {
    message: &'static str,
}

/// `bench hello`: tells its URL, and serves until its standard input ends, so
/// that it does not outlive whoever started it.
pub(crate) async fn serve() -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let line = format!("http://{}\n", listener.local_addr()?);
    let mut output = tokio::io::stdout();
    output.write_all(line.as_bytes()).await?;
    output.flush().await?;
    let router = Router::new().route("/", get(|| async { Json(Greeting { message: "hello" }) }));
    let orphaned = async {
        let mut rest = Vec::new();
        let _ = tokio::io::stdin().read_to_end(&mut rest).await;
    };
    tokio::select! {
        ended = axum::serve(listener, router) => ended.context("the yardstick broke"),
        () = orphaned => Ok(()),
    }
}

/// The running server; it ends when this is dropped.
pub(crate) struct Hello {
    /// Where it is.
    pub(crate) target: Target,
    child: Child,
}

impl Hello {
    /// As a process to watch.
    pub(crate) fn process(&self) -> Option<Process> {
        self.child.id().map(|pid| Process::new("hello", pid))
    }

    /// Starts this very program as the server.
    pub(crate) async fn start() -> Result<Self> {
        let program = std::env::current_exe().context("this program has no path")?;
        let mut child = Command::new(program)
            .arg("hello")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("the yardstick did not start")?;
        let output = child.stdout.take().context("the yardstick has no output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let target = line.as_deref().and_then(|line| line.parse().ok());
        Ok(Self { target: target.context("the yardstick told no URL")?, child })
    }
}

/// Asks for the greeting.
pub(crate) struct AskHello;

impl Ask for AskHello {
    fn request(&self, _: Turn) -> Result<Outgoing> {
        client::get("/")
    }
}
