//! The client address of a call, and the network that limits per client count by.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

use http::HeaderMap;
use ipnet::IpNet;

/// The client's address, as an extension of each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The key of limits by address. A home has 256 networks of IPv6 to choose from, and
/// each of them more addresses than can be counted, so an IPv6 client counts by its /56.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientNetwork(IpAddr);

impl ClientNetwork {
    /// The network of an address.
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

impl fmt::Display for ClientNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/56"),
        }
    }
}

/// Networks, in configuration: addresses and CIDR blocks with commas between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Whether an address is in one of the networks.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|net| net.contains(&address))
    }

    /// Returns the client's address: the peer, or, if the peer is one of these proxies, the nearest
    /// hop that is not. A client can write anything further to the left of `X-Forwarded-For`.
    pub(super) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer.to_canonical();
        let lines = headers.get_all("x-forwarded-for");
        // Split as bytes: a client may begin the line with bytes that are not UTF-8, and the
        // proxy's own entry at its end must still be read.
        let hops = lines.iter().rev().flat_map(|line| line.as_bytes().rsplit(|&byte| byte == b','));
        for hop in hops {
            if !self.contains(nearest) {
                break;
            }
            match parse_hop(hop) {
                Some(address) => nearest = address.to_canonical(),
                None => break,
            }
        }
        nearest
    }
}

impl FromStr for Networks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                part.parse::<IpNet>()
                    .or_else(|_| part.parse::<IpAddr>().map(IpNet::from))
                    .map_err(|_| format!("{part} is neither a network nor an address"))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// An address as proxies write it: some add the port, and then brackets.
fn parse_hop(hop: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(hop).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse().map(|address: SocketAddr| address.ip());
    bare.parse().or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn client_of(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        let proxies: Networks = "10.0.0.0/8".parse().unwrap();
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_peer_that_is_no_trusted_proxy_cannot_name_another_address() {
        assert_eq!(client_of("203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
    }

    #[test]
    fn a_trusted_proxy_names_the_nearest_hop_that_is_none() {
        for (forwarded, client) in [
            (&["198.51.100.1"][..], "198.51.100.1"),
            (&["6.6.6.6, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            (&["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
            (&["::ffff:198.51.100.1"], "198.51.100.1"),
            (&["198.51.100.1:5678"], "198.51.100.1"),
            (&["6.6.6.6, [2001:db8::1]:443, 10.0.0.2:80"], "2001:db8::1"),
            (&["[2001:db8::1]"], "2001:db8::1"),
            (&["6.6.6.6, nonsense"], "10.0.0.1"),
            (&["6.6.6.6, 198.51.100.1:99999"], "10.0.0.1"),
            (&[], "10.0.0.1"),
        ] {
            assert_eq!(client_of("10.0.0.1", forwarded), client, "{forwarded:?}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_do_not_hide_the_proxys_entry() {
        let mut headers = HeaderMap::new();
        let line = HeaderValue::from_bytes(b"\xff, 198.51.100.1").unwrap();
        headers.append("x-forwarded-for", line);
        let proxies: Networks = "10.0.0.0/8".parse().unwrap();
        let client = proxies.client("10.0.0.1".parse().unwrap(), &headers);
        assert_eq!(client.to_string(), "198.51.100.1");
    }

    #[test]
    fn all_addresses_of_an_ipv6_56_are_one_network() {
        let network = |text: &str| ClientNetwork::of(text.parse().unwrap());
        assert_eq!(network("2001:db8::1"), network("2001:db8:0:ff::2"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:100::1"));
        assert_eq!(network("203.0.113.9"), network("::ffff:203.0.113.9"));
    }

    #[test]
    fn proxies_are_networks_or_addresses_and_none_by_default() {
        let proxies: Networks = "10.0.0.0/8, 192.0.2.7,fd00::/8".parse().unwrap();
        for (address, trusted) in [
            ("10.1.2.3", true),
            ("192.0.2.7", true),
            ("192.0.2.8", false),
            ("fd00::1", true),
            ("2001:db8::1", false),
        ] {
            assert_eq!(proxies.contains(address.parse().unwrap()), trusted, "{address}");
        }
        assert_eq!("".parse(), Ok(Networks::default()));
        assert!("10.0.0.0/33".parse::<Networks>().is_err());
    }
}
