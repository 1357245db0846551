//! The limits of a public HTTP server.

use std::{net::IpAddr, time::Duration};

use super::{
    calls::IdleLimits,
    client::{ClientNetwork, Networks},
};
use crate::permits::KeyedPermits;

/// How many connections and calls there may be at the same time.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// Connections in total.
    pub connections: usize,
    /// Connections of one client network.
    pub connections_per_client: usize,
    /// Calls in flight in total: from the request's head to the beginning of the reply.
    pub calls: usize,
    /// Calls in flight of one client network.
    pub calls_per_client: usize,
    /// The proxies in front. They have no limit for each client network, since many
    /// clients are behind them.
    pub trusted_proxies: Networks,
    /// Whether this machine's own addresses are exempt, too: a proxy or a load test may
    /// run on it.
    pub exempt_loopback: bool,
}

impl HttpLimits {
    /// The key of the limits by address, unless many clients may be behind it.
    pub(super) fn key(&self, address: IpAddr) -> Option<ClientNetwork> {
        (!self.is_shared(address)).then(|| ClientNetwork::of(address))
    }

    /// HTTP/2 streams at the same time on a connection of this peer: a browser needs few,
    /// a proxy has many clients.
    pub(super) fn streams_per_connection(&self, peer: IpAddr) -> u32 {
        if self.is_shared(peer) { 1_000 } else { 100 }
    }

    fn is_shared(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        (self.exempt_loopback && address.is_loopback()) || self.trusted_proxies.contains(address)
    }
}

/// The time limits of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    /// Time until the first call has begun.
    pub(super) first_call: Duration,
    /// Time without a call. Longer than the minute for which load balancers keep an idle
    /// connection, so that they close it first.
    pub(super) idle: Duration,
    /// The idle limit when every connection is taken.
    pub(super) idle_at_limit: Duration,
    /// Time to read the rest of the replies after the graceful shutdown began.
    pub(super) drain: Duration,
    /// Time in which the reader of a reply takes no piece of it.
    pub(super) stall: Duration,
}

pub(super) const TIMEOUTS: Timeouts = Timeouts {
    first_call: Duration::from_secs(15),
    idle: Duration::from_secs(75),
    idle_at_limit: Duration::from_secs(5),
    drain: Duration::from_mins(5),
    stall: Duration::from_mins(1),
};

/// The last of this many equal parts of the connection limit is a reserve; taking from it shortens
/// the idle time of all connections.
const RESERVE: usize = 5;

/// The connections of one listener. Cheap to clone.
#[derive(Clone)]
pub(super) struct Connections {
    pub(super) permits: KeyedPermits<ClientNetwork>,
    timeouts: Timeouts,
}

impl Connections {
    pub(super) fn new(limits: &HttpLimits, timeouts: Timeouts) -> Self {
        let permits = KeyedPermits::new(
            "http_connections",
            limits.connections,
            limits.connections_per_client,
        );
        Self { permits, timeouts }
    }

    /// Whether more than 80 % of the connections are taken.
    pub(super) fn run_short(&self) -> bool {
        self.spare() < self.reserve()
    }

    /// The idle limits now. Above 80 % use they shrink linearly, so that the connections
    /// that were idle for longest are closed first.
    pub(super) fn idle_limits(&self) -> IdleLimits {
        let Timeouts { first_call, idle, idle_at_limit, .. } = self.timeouts;
        let idle = if self.run_short() {
            let spare = u32::try_from(self.spare()).unwrap_or(u32::MAX);
            let reserve = u32::try_from(self.reserve()).unwrap_or(u32::MAX).max(1);
            let least = idle_at_limit.min(idle);
            least + idle.saturating_sub(least) / reserve * spare
        } else {
            idle
        };
        IdleLimits { first_call: first_call.min(idle), idle }
    }

    fn spare(&self) -> usize {
        self.permits.total().saturating_sub(self.permits.held())
    }

    fn reserve(&self) -> usize {
        self.permits.total() / RESERVE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(connections: usize) -> HttpLimits {
        HttpLimits {
            connections,
            connections_per_client: connections,
            calls: 1,
            calls_per_client: 1,
            trusted_proxies: "10.0.0.0/8".parse().unwrap(),
            exempt_loopback: true,
        }
    }

    #[test]
    fn the_idle_limit_shrinks_linearly_above_80_percent_use() {
        let connections = Connections::new(&limits(100), TIMEOUTS);
        let mut held = Vec::new();
        for (used, idle) in [(0, 75), (80, 75), (90, 40), (95, 22), (100, 5)] {
            held.extend((held.len()..used).map(|_| connections.permits.acquire(None)));
            let limits = connections.idle_limits();
            assert_eq!(limits.idle.as_secs(), idle, "{used} connections");
            assert_eq!(limits.first_call.as_secs(), idle.min(15), "{used} connections");
        }
    }

    #[test]
    fn an_address_of_many_clients_has_no_limit_of_its_own_and_many_streams() {
        let limits = limits(1);
        for (peer, is_shared) in [
            ("::ffff:10.0.0.1", true),
            ("127.0.0.1", true),
            ("::1", true),
            ("203.0.113.9", false),
            ("2001:db8::1", false),
        ] {
            let peer = peer.parse().unwrap();
            assert_eq!(limits.key(peer).is_none(), is_shared, "{peer}");
            let streams = if is_shared { 1_000 } else { 100 };
            assert_eq!(limits.streams_per_connection(peer), streams, "{peer}");
        }
    }
}
