//! DNS for push services. The connection is made to the addresses that were checked, so a name that
//! later resolves to another address (DNS rebinding) changes nothing.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::public_address::is_public;
use crate::domain::PushServices;

/// The addresses of a name.
pub(crate) type Looked = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a name.
pub(crate) trait Lookup: Send + Sync {
    /// Returns all addresses of the name.
    fn lookup(&self, name: &str) -> Looked;
}

/// The operating system's resolver.
pub(crate) struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: &str) -> Looked {
        let name = name.to_owned();
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((name, 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        })
    }
}

/// Gives an HTTP client public addresses only, and in development also the sandbox's.
pub(super) struct Resolver {
    lookup: Arc<dyn Lookup>,
    services: Arc<PushServices>,
}

impl Resolver {
    pub(super) fn new(lookup: Arc<dyn Lookup>, services: Arc<PushServices>) -> Self {
        Self { lookup, services }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let addresses = self.lookup.lookup(name.as_str());
        let is_sandbox = self.services.is_sandbox_host(name.as_str());
        Box::pin(async move {
            let addresses = addresses.await?;
            // One private address makes all of the name's addresses suspect.
            if let Some(private) = addresses.iter().find(|address| !is_public(**address))
                && !is_sandbox
            {
                return Err(format!(
                    "the push service has the address {private}, which is not public"
                )
                .into());
            }
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            let addresses: Addrs = Box::new(addresses);
            Ok(addresses)
        })
    }
}
