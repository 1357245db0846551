//! The endpoint of a push subscription: a URL that a player's browser gives, and that this
//! service calls. Only URLs of the configured push services are accepted, so that a player
//! cannot make the service call another address.

use std::str::FromStr;

use thiserror::Error;
use url::{Host, Url};

/// Longest endpoint, in bytes.
const ENDPOINT_MAX: usize = 1_000;

/// An endpoint at one of the push services.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PushEndpoint(Url);

/// The push services that are called.
#[derive(Debug, Clone)]
pub(crate) struct PushServices {
    hosts: Vec<HostPattern>,
    sandbox: Option<Url>,
}

/// A host name, or with `*.` all names below a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    name: String,
    below: bool,
}

/// Why a URL is no endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidEndpoint {
    #[error("it is no URL in its normal form, of at most 1000 bytes")]
    NoUrl,
    #[error("it is not https at the default port, without a user and a fragment")]
    Form,
    #[error("its host is not one of the push services")]
    Host,
}

impl PushServices {
    /// The push services with these hosts, and in development also the sandbox's.
    pub(crate) const fn new(hosts: Vec<HostPattern>, sandbox: Option<Url>) -> Self {
        Self { hosts, sandbox }
    }

    /// Parses an endpoint. Refuses every URL that is not in the plain form of push services, so
    /// that all parsers read it the same way.
    pub(crate) fn endpoint(&self, text: &str) -> Result<PushEndpoint, InvalidEndpoint> {
        let is_plain =
            text.len() <= ENDPOINT_MAX && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain {
            return Err(InvalidEndpoint::NoUrl);
        }
        let url = Url::parse(text).map_err(|_| InvalidEndpoint::NoUrl)?;
        if url.as_str() != text {
            return Err(InvalidEndpoint::NoUrl);
        }
        let is_bare =
            url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        if !is_bare {
            return Err(InvalidEndpoint::Form);
        }
        if self.is_sandbox(&url) {
            return Ok(PushEndpoint(url));
        }
        if url.scheme() != "https" || url.port().is_some() {
            return Err(InvalidEndpoint::Form);
        }
        let Some(Host::Domain(host)) = url.host() else { return Err(InvalidEndpoint::Host) };
        if self.hosts.iter().any(|pattern| pattern.matches(host)) {
            Ok(PushEndpoint(url))
        } else {
            Err(InvalidEndpoint::Host)
        }
    }

    /// Whether this host is the sandbox's, which may have a private address.
    pub(crate) fn is_sandbox_host(&self, name: &str) -> bool {
        self.sandbox.as_ref().and_then(Url::host_str).is_some_and(|host| host == name)
    }

    fn is_sandbox(&self, url: &Url) -> bool {
        self.sandbox.as_ref().is_some_and(|sandbox| {
            sandbox.origin() == url.origin() && url.path().starts_with("/push/")
        })
    }
}

impl PushEndpoint {
    /// Builds an endpoint from any URL, for tests.
    #[cfg(test)]
    pub(crate) const fn unchecked(url: Url) -> Self {
        Self(url)
    }

    /// The URL.
    pub(crate) const fn url(&self) -> &Url {
        &self.0
    }

    /// The host, with the port where it is not the default one.
    pub(crate) fn host(&self) -> &str {
        self.0.authority()
    }

    /// The value of a `text` column.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl HostPattern {
    fn matches(&self, host: &str) -> bool {
        if !self.below {
            return host == self.name;
        }
        let below = host.strip_suffix(&self.name).and_then(|rest| rest.strip_suffix('.'));
        below.is_some_and(|below| !below.is_empty())
    }
}

impl FromStr for HostPattern {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, below) = text.strip_prefix("*.").map_or((text, false), |name| (name, true));
        let is_name = name.split('.').count() >= 2
            && name.split('.').all(|label| {
                !label.is_empty()
                    && label.bytes().all(|byte| {
                        byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
                    })
            })
            && !name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if is_name {
            Ok(Self { name: name.to_owned(), below })
        } else {
            Err("should be a host name in lower case, or *. and one")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn services() -> PushServices {
        let hosts = ["fcm.googleapis.com", "*.notify.windows.com", "web.push.apple.com"];
        let sandbox = Url::parse("http://127.0.0.1:8090").unwrap();
        PushServices::new(hosts.map(|host| host.parse().unwrap()).to_vec(), Some(sandbox))
    }

    #[test]
    fn endpoints_of_the_push_services_are_accepted() {
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/dW5pdA:APA91bH-_x",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%2fx%2bz",
            "https://web.push.apple.com/QGuQyavXutnMH",
            "http://127.0.0.1:8090/push/abc",
        ] {
            assert_eq!(services().endpoint(endpoint).unwrap().as_str(), endpoint);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(ENDPOINT_MAX));
        for endpoint in [
            "",
            "fcm.googleapis.com/x",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "http://fcm.googleapis.com/x",
            "ftp://fcm.googleapis.com/x",
            "https://fcm.googleapis.com",
            "HTTPS://fcm.googleapis.com/x",
            "https://FCM.googleapis.com/x",
            "https://fcm.googleapis.com./x",
            "https://fcm.googleapis.com:443/x",
            "https://fcm.googleapis.com:8443/x",
            "https://fcm.googleapis.com:22/x",
            "https://user@fcm.googleapis.com/x",
            "https://user:secret@fcm.googleapis.com/x",
            "https://fcm.googleapis.com@10.0.0.1/x",
            "https://fcm.googleapis.com%40evil.example/x",
            "https://fcm.googleapis.com/x#y",
            "https://fcm.googleapis.com\\@evil.example/x",
            "https://fcm.googleapis.com/x\r\nHost: evil.example",
            "https://fcm.googleapis.com/\u{e4}",
            "https://fcm.googleapis.com.evil.example/x",
            "https://evil.example/fcm.googleapis.com",
            "https://notify.windows.com/x",
            "https://.notify.windows.com/x",
            "https://evilnotify.windows.com/x",
            "https://a.notify.windows.com.evil.example/x",
            "https://fcm。googleapis。com/x",
            "https://ｆcm.googleapis.com/x",
            "https://xn--fcm-.googleapis.com/x",
            "https://localhost/x",
            "https://127.0.0.1/x",
            "https://2130706433/x",
            "https://0x7f.1/x",
            "https://0177.0.0.1/x",
            "https://10.0.0.1/x",
            "https://169.254.169.254/latest/meta-data",
            "https://metadata.google.internal/computeMetadata/v1",
            "https://[::1]/x",
            "https://[::ffff:127.0.0.1]/x",
            "https://[fd00::1]/x",
            "https://[fe80::1%25eth0]/x",
            "https://[2002:7f00:1::]/x",
            "http://127.0.0.1:8090/control/push",
            "http://127.0.0.1:8091/push/abc",
            "http://127.0.0.1:8090/push/../control/push",
            "https://127.0.0.1:8090/push/abc",
            "http://localhost:8090/push/abc",
            long.as_str(),
        ] {
            assert!(services().endpoint(endpoint).is_err(), "{endpoint}");
        }
    }

    #[test]
    fn a_pattern_is_a_name_of_at_least_two_labels() {
        for bad in ["", "*", "*.", "com", "*.*.com", "a..b", "FCM.com", "10.0.0.1", "a b.c", "a.c/"]
        {
            assert!(bad.parse::<HostPattern>().is_err(), "{bad}");
        }
    }
}
