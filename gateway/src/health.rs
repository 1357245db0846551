//! What machines ask about this machine.

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

/// `GET //healthz`: this process turns its wheels.
pub(crate) async fn alive() -> Reply<()> {
    Reply::ok(())
}

/// `GET //readyz`: its services answer. 503 when it is of no use without those
/// that do not, and while it is leaving.
pub(crate) async fn ready(State(gateway): State<Gateway>) -> Response {
    if gateway.shutdown().is_stopping() {
        return Refusal::from(Fault::unavailable()).into_response();
    }
    let health = gateway.upstreams().health().await;
    let useless = health.iter().any(|health| health.is_fatal());
    let services: BTreeMap<_, _> =
        health.into_iter().map(|health| (health.upstream.as_str(), health.serving)).collect();
    if useless {
        Reply::new(StatusCode::SERVICE_UNAVAILABLE, "Not ready.", services).into_response()
    } else {
        Reply::ok(services).into_response()
    }
}
