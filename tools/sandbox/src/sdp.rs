//! Safaricom's carrier billing (SDP): consent to an offer, and charges to airtime.
//!
//! No public document of it was found: the shapes are those of public clients.

mod calls;
mod request;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::post;

use crate::fault_injection::{self, Target};
use crate::world::Shared;
use crate::world::fault::{Call, Provider};

const LOGIN: &str = "/auth/login";
const ACTIVATE: &str = "/public/SDP/activate";
const DEACTIVATE: &str = "/public/SDP/deactivate";
const CHARGE: &str = "/public/SDP/paymentRequest";
const REFUND: &str = "/public/SDP/refundRequest";

/// The routes below `/sdp`.
pub(crate) fn routes(world: Shared) -> Router<Shared> {
    let error = |_| (StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error").into_response();
    let faults = Target { world, provider: Provider::Carrier, call, error };
    Router::new()
        .route(LOGIN, post(calls::login))
        .route(ACTIVATE, post(calls::activate))
        .route(DEACTIVATE, post(calls::deactivate))
        .route(CHARGE, post(calls::charge))
        .route(REFUND, post(calls::refund))
        .fallback(async || (StatusCode::NOT_FOUND, "Not Found"))
        .layer(from_fn_with_state(faults, fault_injection::inject))
}

fn call(path: &str) -> Option<Call> {
    match path {
        LOGIN => Some(Call::Token),
        ACTIVATE | DEACTIVATE => Some(Call::Activate),
        CHARGE => Some(Call::Charge),
        REFUND => Some(Call::Refund),
        _ => None,
    }
}
