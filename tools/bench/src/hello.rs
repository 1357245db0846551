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
    let router = Router::new().route("/", get(|| async { Json(Greeting { message: "hello" }) }));
    serve_router(router).await
}

/// Prints its URL, and serves until the standard input is closed.
pub(crate) async fn serve_router(router: Router) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let line = format!("http://{}\n", listener.local_addr()?);
    let mut output = tokio::io::stdout();
    output.write_all(line.as_bytes()).await?;
    output.flush().await?;
    let input_closed = async {
        let mut rest = Vec::new();
        let _ = tokio::io::stdin().read_to_end(&mut rest).await;
    };
    tokio::select! {
        ended = axum::serve(listener, router) => ended.context("the yardstick failed"),
        () = input_closed => Ok(()),
    }
}

/// A running yardstick; dropping this ends it.
pub(crate) struct YardstickServer {
    pub(crate) target: Target,
    name: &'static str,
    child: Child,
}

impl YardstickServer {
    /// Starts this program a second time, as the server of the command `name`.
    pub(crate) async fn start(name: &'static str) -> Result<Self> {
        let program = std::env::current_exe().context("this program has no path")?;
        let mut child = Command::new(program)
            .arg(name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("the {name} server did not start"))?;
        let output = child.stdout.take().context("a yardstick has no output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let target = line.as_deref().and_then(|line| line.parse().ok());
        let target = target.with_context(|| format!("the {name} server printed no URL"))?;
        Ok(Self { target, name, child })
    }

    /// The server's process, to be measured; `None` when it has ended.
    pub(crate) fn process(&self) -> Option<Process> {
        self.child.id().map(|pid| Process::new(self.name, pid))
    }
}

/// Requests the greeting.
pub(crate) struct GetHello;

impl Workload for GetHello {
    fn request(&self, _: Iteration) -> Result<HttpRequest> {
        client::get("/")
    }
}
