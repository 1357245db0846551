//! The probes of the public port. The metrics port has them for every service.

use std::collections::BTreeMap;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use mesh::Fault;

use crate::{
    Gateway,
    envelope::{Refusal, Reply},
};

/// `GET /healthz`: this process runs.
pub(crate) async fn alive() -> Reply<()> {
    Reply::ok(())
}

/// `GET /readyz`: the health of each upstream. 503 while svc-auth or svc-wallet does not
/// serve, and from the process's lame duck on.
pub(crate) async fn ready(State(gateway): State<Gateway>) -> Response {
    if gateway.shutdown().is_lame_duck() {
        return Refusal::from(Fault::unavailable()).into_response();
    }
    let health = gateway.upstreams().health().await;
    let is_unready = health.iter().any(|health| health.is_fatal());
    let services: BTreeMap<&str, bool> =
        health.into_iter().map(|health| (health.upstream.into(), health.serving)).collect();
    if is_unready {
        Reply::new(StatusCode::SERVICE_UNAVAILABLE, "Not ready.", services).into_response()
    } else {
        Reply::ok(services).into_response()
    }
}
