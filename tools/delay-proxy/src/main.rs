//! `delay-proxy`: TCP routes between the processes of a mesh, whose replies the fault
//! tests can delay. TLS passes through as bytes.
//!
//! `PUT /routes/{name}/delay/{milliseconds}` on its control port delays all replies of the
//! routes of that name, also on connections that are open; 0 ends it.

mod control;
mod route;

use std::net::SocketAddr;

use anyhow::{Context as _, Result};
use clap::Parser;
use tokio::{net::TcpListener, task::JoinSet};

use crate::route::Route;

#[derive(Debug, Parser)]
#[command(name = "delay-proxy", about = "TCP routes whose replies can be delayed.")]
struct Args {
    /// Address of the control API.
    #[arg(long, env)]
    listen: SocketAddr,

    /// Routes, as NAME=FROM=TO with two addresses, separated by commas. Several routes may
    /// have the same name: they are delayed together.
    #[arg(long, env, value_delimiter = ',')]
    routes: Vec<Route>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Args { listen, routes } = Args::parse();
    let mut served = JoinSet::new();
    for route in &routes {
        let listener = TcpListener::bind(route.from).await;
        let listener = listener.with_context(|| format!("cannot listen on {}", route.from))?;
        served.spawn(route.clone().serve(listener));
    }
    let listener = TcpListener::bind(listen).await;
    let listener = listener.with_context(|| format!("cannot listen on {listen}"))?;
    Ok(axum::serve(listener, control::router(routes)).await?)
}
