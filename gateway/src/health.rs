//! The probes of the public port. The metrics port has the first two for every process.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::StatusCode;
use mesh::{Fault, Readiness};

use crate::{
    Gateway,
    envelope::{Refusal, Reply},
};

/// `GET /healthz`: this process runs.
pub(crate) async fn alive() -> Reply<()> {
    Reply::ok(())
}

/// `GET /readyz`: this process can serve, see [`is_ready`]. The reply is a 503 from the process's
/// lame duck on, too.
pub(crate) async fn ready(State(gateway): State<Gateway>) -> Response {
    if gateway.shutdown().is_lame_duck() || !is_ready(&gateway) {
        return Refusal::from(Fault::unavailable()).into_response();
    }
    Reply::ok(()).into_response()
}

/// `GET /statusz`: whether each upstream serves. The reply is a 503 while an upstream does not
/// serve.
pub(crate) async fn status(State(gateway): State<Gateway>) -> Response {
    let health = gateway.upstreams().health().await;
    let all_serve = health.iter().all(|health| health.serving);
    let services: BTreeMap<&str, bool> =
        health.into_iter().map(|health| (health.upstream.into(), health.serving)).collect();
    if all_serve {
        Reply::ok(services).into_response()
    } else {
        let text = "PART_UNAVAILABLE";
        Reply::new(StatusCode::SERVICE_UNAVAILABLE, text, services).into_response()
    }
}

/// The check of `/readyz`, for the metrics port.
pub(crate) fn readiness(gateway: &Gateway) -> Readiness {
    let gateway = gateway.clone();
    Arc::new(move || {
        let is_ready = is_ready(&gateway);
        Box::pin(async move {
            anyhow::ensure!(is_ready, "the revoked sessions have not arrived from svc-auth yet");
            Ok(())
        })
    })
}

/// Whether this process can verify access tokens: from the first list of revoked sessions on, even
/// while svc-auth is out of reach later. No other upstream counts: a gateway that took itself out
/// of rotation for one of them would turn the outage of a part into the outage of all (decision
/// 26).
fn is_ready(gateway: &Gateway) -> bool {
    gateway.verifier().is_synced()
}
