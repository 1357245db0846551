//! How many calls of one client use svc-auth's queue of password hashes at the same time.

use axum::extract::FromRequestParts;
use http::request::Parts;
use mesh::permits::KeyedPermit;

use crate::{
    Gateway,
    envelope::Refusal,
    http::client::Client,
    openapi::operation::{Input, Operation},
    rate_limiter::RateSubject,
};

/// A place in the queue, held as long as the handler runs. A device, or a network without one, has
/// a share of them, so that one cannot keep all others from signing in.
pub(crate) struct PasswordTurn(#[expect(dead_code, reason = "released when dropped")] Permit);

type Permit = KeyedPermit<RateSubject>;

impl FromRequestParts<Gateway> for PasswordTurn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        let Ok(client) = Client::from_request_parts(parts, gateway).await;
        // As for connections and calls, the machine's own address has no share.
        let is_limited = client.has_device() || !client.address.is_loopback();
        let permit = gateway.password_permits().acquire(is_limited.then(|| client.subject()));
        permit.map(Self).map_err(Refusal::too_many_calls)
    }
}

impl Input for PasswordTurn {
    fn describe(_: &mut Operation) {}
}
