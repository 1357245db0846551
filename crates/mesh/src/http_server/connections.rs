//! Who finds a place: so many in the house, so many of one subscriber.

use std::{
    collections::HashMap,
    fmt,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use metrics::{counter, gauge};
use tracing::warn;

/// How many connections a public door holds.
#[derive(Clone)]
pub struct ConnectionLimits {
    /// In all.
    pub connections: usize,
    /// From one subscriber: far more than a household has, because carriers put
    /// thousands behind one address.
    pub per_subscriber: usize,
    /// Whose connections are many people's: they have no share, only the house's limit.
    pub proxies: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
}

impl fmt::Debug for ConnectionLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { connections, per_subscriber, .. } = self;
        write!(f, "ConnectionLimits({connections}, {per_subscriber} of one subscriber)")
    }
}

/// What limits by address count by. A home has 256 networks of IPv6 to choose from,
/// and each of them more addresses than anybody can count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Subscriber(IpAddr);

impl Subscriber {
    /// Whose address it is.
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d & 0xff00, 0, 0, 0, 0).into()
            }
        })
    }
}

impl fmt::Display for Subscriber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/56"),
        }
    }
}

/// The places of one door. Cheap to clone.
#[derive(Clone)]
pub(super) struct Connections {
    limits: ConnectionLimits,
    standing: usize,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    seated: usize,
    standing: usize,
    by_subscriber: HashMap<Subscriber, usize>,
}

/// One place, given back when dropped.
pub(super) struct ConnectionPermit {
    places: Connections,
    /// Whose share it is of.
    share: Option<Subscriber>,
    standing: bool,
}

impl Connections {
    /// All free, with so many to stand in when the house is full.
    pub(super) fn new(limits: ConnectionLimits, standing: usize) -> Self {
        Self { limits, standing, taken: Arc::default() }
    }

    /// A place for a connection from there, if there is one.
    pub(super) fn take(&self, from: IpAddr) -> Option<ConnectionPermit> {
        let from = from.to_canonical();
        let share = (!(self.limits.proxies)(from)).then(|| Subscriber::of(from));
        let mut taken = self.lock();
        let own = share.and_then(|own| taken.by_subscriber.get(&own)).copied().unwrap_or(0);
        if share.is_some() && own >= self.limits.per_subscriber {
            return refused("per_client_limit");
        }
        let standing = taken.seated >= self.limits.connections;
        if standing && taken.standing >= self.standing {
            return refused("global_limit");
        }
        if standing {
            if taken.standing == 0 {
                warn!(connections = taken.seated, "the house is full");
            }
            taken.standing += 1;
        } else {
            taken.seated += 1;
        }
        if let Some(share) = share {
            taken.by_subscriber.insert(share, own + 1);
        }
        gauge!("http_connections").increment(1);
        Some(ConnectionPermit { places: self.clone(), share, standing })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(reason: &'static str) -> Option<ConnectionPermit> {
    counter!("http_connections_refused_total", "reason" => reason).increment(1);
    None
}

impl ConnectionPermit {
    /// Whether it is none of the house's own.
    pub(super) fn is_standing(&self) -> bool {
        self.standing
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        let kind = if self.standing { &mut taken.standing } else { &mut taken.seated };
        *kind = kind.saturating_sub(1);
        if let Some(share) = self.share {
            match taken.by_subscriber.get_mut(&share) {
                Some(own) if *own > 1 => *own -= 1,
                _ => {
                    taken.by_subscriber.remove(&share);
                }
            }
        }
        gauge!("http_connections").decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(connections: usize, per_subscriber: usize, standing: usize) -> Connections {
        let proxies = Arc::new(|from: IpAddr| from.to_string().starts_with("10."));
        Connections::new(ConnectionLimits { connections, per_subscriber, proxies }, standing)
    }

    fn take(places: &Connections, from: &str) -> Option<ConnectionPermit> {
        places.take(from.parse().unwrap())
    }

    #[test]
    fn one_subscriber_has_a_share_and_the_next_is_served() {
        let places = places(10, 2, 1);
        let home = ["2001:db8::1", "2001:db8:0:ff::2"].map(|from| take(&places, from).unwrap());
        assert!(take(&places, "2001:db8:0:7::3").is_none());
        assert!(take(&places, "2001:db8:0:100::1").is_some());
        assert!(take(&places, "203.0.113.9").is_some());
        drop(home);
        assert!(take(&places, "2001:db8:0:7::3").is_some());
        assert!(places.lock().by_subscriber.is_empty());
    }

    #[test]
    fn an_address_is_one_however_it_is_written() {
        let places = places(10, 1, 1);
        let _first = take(&places, "203.0.113.9").unwrap();
        assert!(take(&places, "::ffff:203.0.113.9").is_none());
    }

    #[test]
    fn proxies_have_no_share() {
        let places = places(3, 1, 0);
        let taken: Vec<_> = (0..4).filter_map(|_| take(&places, "::ffff:10.0.0.1")).collect();
        assert_eq!(taken.len(), 3, "but no more than the house has");
    }

    #[test]
    fn a_full_house_has_room_to_stand() {
        let places = places(2, 2, 1);
        let seats = ["10.0.0.1"; 2].map(|from| take(&places, from).unwrap());
        let standing = take(&places, "203.0.113.9").unwrap();
        assert!(standing.is_standing());
        assert!(take(&places, "203.0.113.9").is_none());
        drop(seats);
        assert!(!take(&places, "203.0.113.9").unwrap().is_standing());
    }
}
