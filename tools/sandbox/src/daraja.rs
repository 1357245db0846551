//! Safaricom Daraja, as far as PlayOn calls it, on its real paths.
//!
//! Formats, codes and quirks follow the official portal and what developers have
//! reported of the real service; README.md lists what is from memory.

mod callback;
mod ids;
pub(crate) mod prompt;
mod refusal;
mod stk;
mod token;
mod validate;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::fault_injection::{self, Target};
use crate::world::Shared;
use crate::world::fault::{Call, FaultKind, Provider};
use refusal::Refusal;

const TOKEN: &str = "/oauth/v1/generate";
const STK_PUSH: &str = "/mpesa/stkpush/v1/processrequest";
const STK_QUERY: &str = "/mpesa/stkpushquery/v1/query";

/// The routes below `/daraja`.
pub(crate) fn routes(world: Shared) -> Router<Shared> {
    let faults = Target { world, provider: Provider::Daraja, call, error };
    Router::new()
        .route(TOKEN, get(token::generate))
        .route(STK_PUSH, post(stk::process_request))
        .route(STK_QUERY, post(stk::query))
        .method_not_allowed_fallback(async || Refusal::MethodNotAllowed)
        .fallback(async || Refusal::NotFound)
        .layer(from_fn_with_state(faults, fault_injection::inject))
}

fn call(path: &str) -> Option<Call> {
    match path {
        TOKEN => Some(Call::Token),
        STK_PUSH => Some(Call::Stkpush),
        STK_QUERY => Some(Call::Stkquery),
        _ => None,
    }
}

fn error(kind: FaultKind) -> Response {
    match kind {
        FaultKind::Spike => Refusal::SpikeArrest.into_response(),
        FaultKind::Unauthorized => (StatusCode::UNAUTHORIZED, "Unauthorized").into_response(),
        _ => Refusal::Internal.into_response(),
    }
}
