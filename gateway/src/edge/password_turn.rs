//! Limits how many calls of one address use svc-auth's queue of password hashes at the same time.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::request::Parts;
use mesh::{
    http_server::{ClientAddress, ClientNetwork},
    permits::KeyedPermit,
};

use crate::{
    Gateway,
    envelope::Refusal,
    openapi::operation::{Input, Operation},
};

/// A place in the queue, held as long as the handler runs. Each address has a limited share of the
/// places, so that one address cannot keep all others from signing in.
pub(crate) struct PasswordTurn(#[expect(dead_code, reason = "released when dropped")] Permit);

type Permit = KeyedPermit<ClientNetwork>;

impl FromRequestParts<Gateway> for PasswordTurn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        // As for connections and calls, the machine's own address has no limit.
        let address = parts.extensions.get().map(|&ClientAddress(address)| address);
        let network = address.filter(|address: &IpAddr| !address.is_loopback());
        let permit = gateway.password_permits().acquire(network.map(ClientNetwork::of));
        permit.map(Self).map_err(Refusal::too_many_calls)
    }
}

impl Input for PasswordTurn {
    fn describe(_: &mut Operation) {}
}
