//! The client of a call without an account: a device or an address.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
};

use axum::extract::{FromRequestParts, Request};
use http::request::Parts;
use mesh::http_server::{ClientAddress, ClientNetwork};
use types::uuid::Uuid;

use crate::{
    Gateway,
    http::device_cookie,
    openapi::operation::{Input, Operation},
    rate_limiter::RateSubject,
};

/// The client of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
    /// The address that the server gave the call.
    pub(crate) address: IpAddr,
    /// The device of the browser's cookie: that of a player who signed in on it, or of a browser
    /// that solved a captcha.
    device: Option<Uuid>,
}

impl Client {
    /// The client of a request.
    pub(crate) fn of(gateway: &Gateway, request: &Request) -> Self {
        let address = request.extensions().get::<ClientAddress>();
        let token = device_cookie::find(request.headers(), &gateway.args().public_url);
        Self {
            address: address.map_or(Ipv4Addr::UNSPECIFIED.into(), |&ClientAddress(ip)| ip),
            device: token.and_then(|token| gateway.devices().verify(&token)),
        }
    }

    /// The subject by which the calls of a guest are counted: the device, or else the network, which
    /// thousands of players may share.
    pub(crate) fn subject(&self) -> RateSubject {
        self.device.map_or_else(|| RateSubject::Network(self.network()), RateSubject::Device)
    }

    /// The network of the address.
    pub(crate) fn network(&self) -> ClientNetwork {
        ClientNetwork::of(self.address)
    }

    /// Whether the browser has a device token.
    pub(crate) const fn has_device(&self) -> bool {
        self.device.is_some()
    }
}

impl FromRequestParts<Gateway> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Infallible> {
        // The edge finds the client of every call that it passes on.
        let found = parts.extensions.get().copied();
        Ok(found.unwrap_or(Self { address: Ipv4Addr::UNSPECIFIED.into(), device: None }))
    }
}

impl Input for Client {
    fn describe(_: &mut Operation) {}
}
