//! Tells public internet addresses from private ones.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether this address can belong to a host of the public internet: not this machine, a private
/// network, a cloud's metadata, a documentation range or a translation of one (IANA's registries of
/// special-purpose addresses).
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !matches!(
        address.octets(),
        [0 | 10 | 127 | 224..=255, ..]
            | [100, 64..=127, ..]
            | [169, 254, ..]
            | [172, 16..=31, ..]
            | [192, 168, ..]
            | [198, 18..=19, ..]
            | [192, 0, 0 | 2, _]
            | [192, 31, 196, _]
            | [192, 52, 193, _]
            | [192, 88, 99, _]
            | [192, 175, 48, _]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
    )
}

/// Of IPv6 only `2000::/3` is given to hosts of the internet; that leaves out loopback, mapped
/// and compatible IPv4, NAT64, unique local, link-local and multicast.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let is_global = segments[0] & 0xe000 == 0x2000;
    is_global
        && !matches!(
            segments,
            // Protocol assignments with Teredo, documentation, 6to4, documentation.
            [0x2001, 0..=0x01ff | 0x0db8, ..] | [0x2002, ..] | [0x3fff, 0..=0x0fff, ..]
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_internet_are_public() {
        for address in [
            "8.8.8.8",
            "142.250.1.95",
            "100.128.0.1",
            "172.32.0.1",
            "2a00:1450:4001::1",
            "2001:4860::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn all_others_are_not() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "4000::1",
            "8000::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
