//! Ports: where everything listens, and who holds one that is taken.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::process::command_line;

/// The environment variable that moves all ports at once.
pub(crate) const OFFSET_VARIABLE: &str = "PLAYON_PORT_OFFSET";

/// Where each process listens before anything is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    gateway: u16,
    sandbox: u16,
    mail: u16,
    postgres: u16,
    redis: u16,
    service: u16,
    metrics: u16,
    collector: u16,
}

/// The house's ports, which people type.
const HOUSE: Layout = Layout {
    gateway: 8080,
    sandbox: 8090,
    mail: 8025,
    postgres: 54_320,
    redis: 63_790,
    service: 50_051,
    metrics: 9_100,
    collector: 4_317,
};

/// A block that nobody types. It lies below 32768, where Linux begins to give
/// ports to outgoing connections (`ip_local_port_range`): a service cannot
/// listen on a port that some connection happens to leave from, and tests make
/// thousands of them.
const BLOCK: Layout = Layout {
    gateway: 20_000,
    sandbox: 20_001,
    mail: 20_002,
    postgres: 20_003,
    redis: 20_004,
    collector: 20_005,
    service: 20_010,
    metrics: 20_030,
};

/// All ports of one running mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ports {
    layout: Layout,
    offset: u16,
}

impl Ports {
    /// The house's ports, moved up by the offset. The highest one, Redis, sets
    /// the limit.
    pub(crate) fn house(offset: u16) -> Result<Self> {
        if HOUSE.redis.checked_add(offset).is_none() {
            bail!("{OFFSET_VARIABLE}={offset} is too far; {} at most", u16::MAX - HOUSE.redis);
        }
        Ok(Self { layout: HOUSE, offset })
    }

    /// The block of a mesh that no person visits, moved up by the offset.
    pub(crate) fn block(offset: u16) -> Self {
        Self { layout: BLOCK, offset }
    }

    pub(crate) fn offset(self) -> u16 {
        self.offset
    }

    pub(crate) fn gateway(self) -> u16 {
        self.at(self.layout.gateway, 0)
    }

    pub(crate) fn sandbox(self) -> u16 {
        self.at(self.layout.sandbox, 0)
    }

    /// Where the sandbox takes mail (SMTP).
    pub(crate) fn mail(self) -> u16 {
        self.at(self.layout.mail, 0)
    }

    pub(crate) fn postgres(self) -> u16 {
        self.at(self.layout.postgres, 0)
    }

    pub(crate) fn redis(self) -> u16 {
        self.at(self.layout.redis, 0)
    }

    /// The gRPC port of the service at this place in the list.
    pub(crate) fn service(self, place: usize) -> u16 {
        self.at(self.layout.service, place)
    }

    /// The metrics port of the gateway.
    pub(crate) fn gateway_metrics(self) -> u16 {
        self.at(self.layout.metrics, 0)
    }

    /// The metrics port of the service at this place in the list.
    pub(crate) fn service_metrics(self, place: usize) -> u16 {
        self.at(self.layout.metrics, place + 1)
    }

    /// Where the journeys collect what the mesh of the tests traces.
    pub(crate) fn collector(self) -> u16 {
        self.at(self.layout.collector, 0)
    }

    fn at(self, base: u16, place: usize) -> u16 {
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        base.saturating_add(place).saturating_add(self.offset)
    }
}

/// How far the environment moves all ports; not at all, unless it says so.
pub(crate) fn offset_from_environment() -> Result<u16> {
    std::env::var(OFFSET_VARIABLE).map_or(Ok(0), |text| {
        text.parse().with_context(|| format!("{OFFSET_VARIABLE}={text} is not a number from 0 up"))
    })
}

/// An address on this machine only: nothing here is meant for the network.
pub(crate) fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

/// Connects, or gives up quickly.
pub(crate) fn connect(port: u16) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&local(port), Duration::from_millis(500))?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    stream.set_write_timeout(Some(Duration::from_secs(2)))?;
    Ok(stream)
}

/// Fails when the port is taken, and says by whom.
pub(crate) fn free(port: u16) -> Result<()> {
    let Err(fault) = TcpListener::bind(local(port)) else {
        return Ok(());
    };
    if fault.kind() != std::io::ErrorKind::AddrInUse {
        return Err(fault).with_context(|| format!("cannot listen on port {port}"));
    }
    let who = holder(port).map_or_else(
        || "an outgoing connection, or a process of another user".to_owned(),
        |pid| match command_line(pid) {
            Some(line) => format!("process {pid}: {line}"),
            None => format!("process {pid}"),
        },
    );
    bail!(
        "port {port} is in use by {who}\n       end that process, or move all of PlayOn's ports: {OFFSET_VARIABLE}=100 cargo xtask …"
    )
}

/// The process that listens on a port, as far as this user may see.
fn holder(port: u16) -> Option<i32> {
    let inode = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .find_map(|table| listening_inode(&fs::read_to_string(table).ok()?, port))?;
    let socket = format!("socket:[{inode}]");
    for process in fs::read_dir("/proc").ok()?.flatten() {
        let Ok(pid) = process.file_name().to_string_lossy().parse() else {
            continue;
        };
        let Ok(files) = process.path().join("fd").read_dir() else {
            continue;
        };
        let holds = |path: &Path| fs::read_link(path).is_ok_and(|to| to == Path::new(&socket));
        if files.flatten().any(|file| holds(&file.path())) {
            return Some(pid);
        }
    }
    None
}

/// `proc_pid_net(5)`: local address and port in hex, state 0A is LISTEN, the
/// tenth field is the socket's inode.
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
    fn the_holder_of_a_port_is_named() {
        let listener = TcpListener::bind(local(0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        assert_eq!(holder(port), i32::try_from(std::process::id()).ok());
        let told = free(port).unwrap_err().to_string();
        assert!(told.contains(&std::process::id().to_string()), "{told}");
    }

    #[test]
    fn a_connection_from_a_port_does_not_hold_it() {
        let table = "  sl  local_address rem_address st\n   0: 0100007F:1F90 0100007F:D2F0 01 0:0 00:0 0 0 0 777 1\n   1: 0100007F:1F90 00000000:0000 0A 0:0 00:0 0 0 0 888 1\n";
        assert_eq!(listening_inode(table, 8080).as_deref(), Some("888"));
        assert_eq!(listening_inode(table, 8081), None);
    }

    #[test]
    fn all_ports_move_together_and_not_past_the_end() {
        let moved = Ports::house(1000).unwrap();
        assert_eq!((moved.gateway(), moved.service(4), moved.redis()), (9080, 51_055, 64_790));
        assert!(Ports::house(1746).is_err());
    }

    #[test]
    fn no_outgoing_connection_can_sit_on_a_port_of_the_block() {
        let block = Ports::block(0);
        let all = [
            block.gateway(),
            block.sandbox(),
            block.mail(),
            block.postgres(),
            block.redis(),
            block.collector(),
            block.service(0),
            block.service(19),
            block.gateway_metrics(),
            block.service_metrics(19),
        ];
        let apart = all.iter().collect::<std::collections::HashSet<_>>();
        assert_eq!(apart.len(), all.len());
        assert!(all.iter().all(|port| *port < 32_768));
    }
}
