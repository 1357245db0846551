//! Paystack: card payments on a hosted page, as far as PlayOn calls it.
//!
//! Formats follow the provider's documentation; README.md lists what is from memory.

pub(crate) mod actions;
mod events;
mod page;
pub(crate) mod refunds;
mod reply;
mod transactions;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{get, post};

use crate::fault_injection::{self, Target};
use crate::world::Shared;
use crate::world::fault::{Call, Provider};
pub(crate) use page::return_url;
use reply::Refusal;

/// The routes below `/paystack`.
pub(crate) fn routes(world: Shared) -> Router<Shared> {
    let error = |_| {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "api_error", "unknown", "An error occurred")
            .into_response()
    };
    let faults = Target { world, provider: Provider::Paystack, call, error };
    Router::new()
        .route("/transaction/initialize", post(transactions::initialize))
        .route("/transaction/verify/{reference}", get(transactions::verify))
        .route("/transaction", get(transactions::list))
        .route("/refund", post(refunds::create).get(refunds::list))
        .route("/refund/{id}", get(refunds::fetch))
        .fallback(async || {
            Refusal::new(StatusCode::NOT_FOUND, "invalid_request_error", "not_found", "Not found")
        })
        .layer(from_fn_with_state(faults, fault_injection::inject))
}

/// The hosted page, below `/card`.
pub(crate) fn pages() -> Router<Shared> {
    Router::new().route("/{access_code}", get(page::show).post(page::act))
}

fn call(path: &str) -> Option<Call> {
    match path {
        "/transaction/initialize" => Some(Call::Initialize),
        "/transaction" => Some(Call::List),
        _ if path.starts_with("/transaction/verify/") => Some(Call::Verify),
        _ if path.starts_with("/refund") => Some(Call::Refund),
        _ => None,
    }
}
