//! From where a call really comes.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::Response,
};
use http::HeaderMap;
use mesh::Subscriber;

use crate::{Gateway, config::Proxies};

/// The client's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// What limits by address count by.
    pub fn subscriber(self) -> String {
        Subscriber::of(self.0).to_string()
    }
}

/// Leaves a [`ClientAddress`] with the request.
pub async fn find(
    State(gateway): State<Gateway>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = client(peer.ip(), request.headers(), gateway.proxies());
    request.extensions_mut().insert(ClientAddress(address));
    next.run(request).await
}

/// The peer; or, if that is a proxy of ours, the nearest hop that is none. What
/// stands further to the left of `X-Forwarded-For` is anybody's claim.
fn client(peer: IpAddr, headers: &HeaderMap, proxies: &Proxies) -> IpAddr {
    let mut nearest = peer.to_canonical();
    let lines = headers.get_all("x-forwarded-for");
    // By bytes, because a client may begin the line with some that are no text,
    // and the proxy's own word at its end must count all the same.
    let hops = lines.iter().rev().flat_map(|line| line.as_bytes().rsplit(|&byte| byte == b','));
    for hop in hops {
        if !proxies.trusts(nearest) {
            break;
        }
        match address(hop) {
            Some(address) => nearest = address.to_canonical(),
            None => break,
        }
    }
    nearest
}

/// An address as proxies write it: some add the port, and then brackets.
fn address(hop: &[u8]) -> Option<IpAddr> {
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
        let proxies = "10.0.0.0/8".parse().unwrap();
        client(peer.parse().unwrap(), &headers, &proxies).to_string()
    }

    #[test]
    fn a_strangers_word_is_not_taken() {
        assert_eq!(client_of("203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
    }

    #[test]
    fn a_proxy_is_asked_and_only_for_the_nearest_stranger() {
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
    fn bytes_that_are_no_text_do_not_take_the_proxys_word_away() {
        let mut headers = HeaderMap::new();
        let line = HeaderValue::from_bytes(b"\xff, 198.51.100.1").unwrap();
        headers.append("x-forwarded-for", line);
        let proxies = "10.0.0.0/8".parse().unwrap();
        let client = client("10.0.0.1".parse().unwrap(), &headers, &proxies);
        assert_eq!(client.to_string(), "198.51.100.1");
    }

    #[test]
    fn an_ipv6_subscriber_is_one_however_many_addresses_it_uses() {
        let subscriber = |text: &str| ClientAddress(text.parse().unwrap()).subscriber();
        assert_eq!(subscriber("2001:db8::1"), subscriber("2001:db8:0:ff::2"));
        assert_ne!(subscriber("2001:db8::1"), subscriber("2001:db8:0:100::1"));
    }
}
