//! `forward`: makes a TCP port of another host a port of this one's loopback.
//!
//! Services accept plain HTTP to loopback alone, and a browser must find the sandbox under
//! the same URL as a service does. In Kubernetes both hold with this program beside the
//! service, in the same pod.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use clap::Parser;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tracing_subscriber::EnvFilter;

/// Longest time that connecting to the other host may take.
const CONNECT: Duration = Duration::from_secs(5);
/// The pause after an error of `accept`, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Forwards TCP ports of loopback to another host.
#[derive(Debug, Parser)]
#[command(name = "forward")]
struct Args {
    /// `127.0.0.1:8090=sandbox:8090`: the address to listen on, and the address to connect to. The
    /// name is resolved for each connection.
    #[arg(required = true)]
    routes: Vec<Route>,
}

/// A port to listen on and where its connections go.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Route {
    listen: SocketAddr,
    target: String,
}

impl FromStr for Route {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (listen, target) = text.split_once('=').ok_or("not ADDRESS=HOST:PORT")?;
        let listen: SocketAddr = listen.parse().map_err(|_| "no address before the =")?;
        if !listen.ip().is_loopback() {
            return Err("the address is not a loopback address");
        }
        let port = target.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        port.ok_or("no port after the =")?;
        Ok(Self { listen, target: target.to_owned() })
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter).init();
    match run(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "cannot forward");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut tasks = JoinSet::new();
    for Route { listen, target } in args.routes {
        let listener = TcpListener::bind(listen).await?;
        tracing::info!(listen = %listener.local_addr()?, to = %target, "forwarding");
        tasks.spawn(accept(listener, target));
    }
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tasks.shutdown().await;
    Ok(())
}

/// Forwards each connection in a task that ends with this one.
async fn accept(listener: TcpListener, target: String) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((client, _)) => {
                connections.spawn(forward(client, target.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(PAUSE).await;
            }
        }
        // Frees the tasks that have ended.
        while connections.try_join_next().is_some() {}
    }
}

/// Copies both ways until both sides have closed. Without a connection to the target, the client's
/// connection is closed.
async fn forward(mut client: TcpStream, target: String) {
    match timeout(CONNECT, TcpStream::connect(&target)).await {
        Ok(Ok(mut upstream)) => {
            // Requests and replies are small: each is sent at once.
            drop((client.set_nodelay(true), upstream.set_nodelay(true)));
            // Errors are ignored, because either side may end the connection at any time.
            drop(copy_bidirectional(&mut client, &mut upstream).await);
        }
        Ok(Err(error)) => tracing::warn!(%error, to = %target, "cannot connect"),
        Err(_) => tracing::warn!(to = %target, "no connection in time"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_from_loopback_to_a_host_and_port() {
        let route: Route = "127.0.0.1:8090=sandbox:80".parse().unwrap();
        assert_eq!(route.listen, SocketAddr::from(([127, 0, 0, 1], 8090)));
        assert_eq!(route.target, "sandbox:80");
        for bad in ["", "8090=sandbox:80", "127.0.0.1:8090", "127.0.0.1:8090=sandbox"] {
            assert!(bad.parse::<Route>().is_err(), "{bad}");
        }
        assert!("0.0.0.0:8090=sandbox:80".parse::<Route>().is_err());
    }
}
