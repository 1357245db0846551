//! Ports: where every process listens, and which process holds a port that is taken.

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::pidfile::command_line;

/// The environment variable that moves all ports at once.
pub(crate) const OFFSET_VARIABLE: &str = "PLAYON_PORT_OFFSET";

/// All ports of one running mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ports {
    /// How far all ports have been moved up.
    pub(crate) offset: u16,
    pub(crate) gateway: u16,
    /// The games' origin, which the gateway serves too.
    pub(crate) games: u16,
    pub(crate) sandbox: u16,
    /// The sandbox's SMTP.
    pub(crate) mail: u16,
    pub(crate) postgres: u16,
    pub(crate) redis: u16,
    /// The port of the journeys' OTLP collector.
    pub(crate) collector: u16,
    /// The gRPC port of the first service.
    service: u16,
    /// The metrics port of the gateway; the metrics ports of the services follow.
    pub(crate) gateway_metrics: u16,
    /// The control port of the delay proxy; its routes follow.
    pub(crate) proxy: u16,
}

/// Ports of one replica of all services; the ports of the next replica follow.
const REPLICA_BLOCK: u16 = 10;
/// Most replicas of a service: their ports must not reach the ports of the next offset.
pub(crate) const MAX_REPLICAS: u16 = 5;

/// The documented ports, which people type.
const DOCUMENTED: Ports = Ports {
    offset: 0,
    gateway: 8080,
    games: 8081,
    sandbox: 8090,
    mail: 8025,
    postgres: 54_320,
    redis: 63_790,
    collector: 4_317,
    service: 50_051,
    gateway_metrics: 9_100,
    proxy: 9_160,
};

/// A block below 32768, where Linux begins to give ports to outgoing connections
/// (`ip_local_port_range`). Tests make thousands of such connections, and a service cannot listen
/// on the port of one.
const RESERVED: Ports = Ports {
    offset: 0,
    gateway: 20_000,
    sandbox: 20_001,
    mail: 20_002,
    postgres: 20_003,
    redis: 20_004,
    collector: 20_005,
    games: 20_006,
    service: 20_010,
    gateway_metrics: 20_030,
    proxy: 20_060,
};

impl Ports {
    /// The documented ports, moved up. The highest one, Redis, sets the limit.
    pub(crate) fn documented(offset: u16) -> Result<Self> {
        if DOCUMENTED.redis.checked_add(offset).is_none() {
            bail!("{OFFSET_VARIABLE}={offset} is too far; {} at most", u16::MAX - DOCUMENTED.redis);
        }
        Ok(DOCUMENTED.moved(offset))
    }

    /// The block of a mesh that only programs use, moved up.
    pub(crate) fn reserved(offset: u16) -> Self {
        RESERVED.moved(offset)
    }

    fn moved(self, offset: u16) -> Self {
        let moved = |port: u16| port.saturating_add(offset);
        Self {
            offset,
            gateway: moved(self.gateway),
            games: moved(self.games),
            sandbox: moved(self.sandbox),
            mail: moved(self.mail),
            postgres: moved(self.postgres),
            redis: moved(self.redis),
            collector: moved(self.collector),
            service: moved(self.service),
            gateway_metrics: moved(self.gateway_metrics),
            proxy: moved(self.proxy),
        }
    }

    /// The gRPC port of a replica, counted from 0, of the service at this index of the list.
    pub(crate) fn service(self, index: usize, replica: u16) -> u16 {
        nth(self.service, index).saturating_add(replica * REPLICA_BLOCK)
    }

    /// The metrics port of a replica of the service at this index of the list.
    pub(crate) fn service_metrics(self, index: usize, replica: u16) -> u16 {
        nth(self.gateway_metrics, index + 1).saturating_add(replica * REPLICA_BLOCK)
    }

    /// The port of the delay proxy's route with this index.
    pub(crate) fn proxy_route(self, index: usize) -> u16 {
        nth(self.proxy, index + 1)
    }
}

fn nth(first: u16, index: usize) -> u16 {
    first.saturating_add(u16::try_from(index).unwrap_or(u16::MAX))
}

/// How far the environment moves all ports; 0 without the variable.
pub(crate) fn offset_from_environment() -> Result<u16> {
    std::env::var(OFFSET_VARIABLE).map_or(Ok(0), |text| {
        text.parse().with_context(|| format!("{OFFSET_VARIABLE}={text} is not a number from 0 up"))
    })
}

/// The address of a port on loopback, because nothing here is meant for the network.
pub(crate) fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

/// Whether the port accepts a connection, sends `N` bytes after `request` and they
/// satisfy `expected`.
pub(crate) fn answers<const N: usize>(
    port: u16,
    request: &str,
    expected: impl FnOnce([u8; N]) -> bool,
) -> bool {
    let exchange = || -> std::io::Result<[u8; N]> {
        let mut stream = TcpStream::connect_timeout(&local(port), Duration::from_millis(500))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream.set_write_timeout(Some(Duration::from_secs(2)))?;
        stream.write_all(request.as_bytes())?;
        let mut reply = [0_u8; N];
        stream.read_exact(&mut reply)?;
        Ok(reply)
    };
    exchange().is_ok_and(expected)
}

/// Fails when the port is taken, and names the process that holds it.
pub(crate) fn require_free(port: u16) -> Result<()> {
    let Err(fault) = TcpListener::bind(local(port)) else {
        return Ok(());
    };
    if fault.kind() != ErrorKind::AddrInUse {
        return Err(fault).with_context(|| format!("cannot listen on port {port}"));
    }
    let holder = holder(port).map_or_else(
        || "an outgoing connection, or a process of another user".to_owned(),
        |pid| format!("process {pid}: {}", command_line(pid).unwrap_or_default()),
    );
    bail!(
        "port {port} is in use by {holder}\n       end that process, or move all of PlayOn's ports: {OFFSET_VARIABLE}=100 cargo xtask …"
    )
}

/// The process that listens on a port; `None` when it belongs to another user.
fn holder(port: u16) -> Option<i32> {
    let inode = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .find_map(|table| listening_inode(&fs::read_to_string(table).ok()?, port))?;
    let socket = format!("socket:[{inode}]");
    let has_socket = |process: &Path| {
        let mut files = process.join("fd").read_dir().into_iter().flatten().flatten();
        files.any(|file| fs::read_link(file.path()).is_ok_and(|to| to == Path::new(&socket)))
    };
    let processes = fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.path());
    let mut pids = processes.filter_map(|process| {
        let pid = process.file_name()?.to_str()?.parse().ok()?;
        has_socket(&process).then_some(pid)
    });
    pids.next()
}

/// Finds the inode of the socket that listens on a port. `proc_pid_net(5)`: local address and port
/// in hex, state 0A is LISTEN, the tenth field is the socket's inode.
fn listening_inode(table: &str, port: u16) -> Option<String> {
    let suffix = format!(":{port:04X}");
    table.lines().skip(1).find_map(|line| {
        let fields = line.split_ascii_whitespace().collect::<Vec<_>>();
        let listens = fields.get(3) == Some(&"0A") && fields.get(1)?.ends_with(&suffix);
        listens.then(|| fields.get(9).map(ToString::to_string))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_process_that_holds_a_port() {
        let listener = TcpListener::bind(local(0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        assert_eq!(holder(port), i32::try_from(std::process::id()).ok());
        let message = require_free(port).unwrap_err().to_string();
        assert!(message.contains(&std::process::id().to_string()), "{message}");
    }

    #[test]
    fn a_connection_from_a_port_does_not_hold_it() {
        let table = "  sl  local_address rem_address st\n   0: 0100007F:1F90 0100007F:D2F0 01 0:0 00:0 0 0 0 777 1\n   1: 0100007F:1F90 00000000:0000 0A 0:0 00:0 0 0 0 888 1\n";
        assert_eq!(listening_inode(table, 8080).as_deref(), Some("888"));
        assert_eq!(listening_inode(table, 8081), None);
    }

    #[test]
    fn all_ports_move_together_and_an_offset_past_the_end_is_refused() {
        let moved = Ports::documented(1000).unwrap();
        assert_eq!((moved.gateway, moved.service(4, 0), moved.redis), (9080, 51_055, 64_790));
        assert!(Ports::documented(1746).is_err());
    }

    #[test]
    fn reserved_ports_are_distinct_and_below_those_of_outgoing_connections() {
        let ports = Ports::reserved(0);
        let all = [
            ports.gateway,
            ports.games,
            ports.sandbox,
            ports.mail,
            ports.postgres,
            ports.redis,
            ports.collector,
            ports.service(0, 0),
            ports.service(9, 0),
            ports.service(0, 1),
            ports.service(9, 1),
            ports.gateway_metrics,
            ports.service_metrics(9, 0),
            ports.service_metrics(0, 1),
            ports.service_metrics(9, 1),
            ports.proxy,
            ports.proxy_route(30),
        ];
        let distinct = all.iter().collect::<std::collections::HashSet<_>>();
        assert_eq!(distinct.len(), all.len());
        assert!(all.iter().all(|port| *port < 32_768));
    }
}
