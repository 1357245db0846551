//! Africa's Talking's SMS API in its first version, on its real path.
//!
//! Formats and codes follow the provider's documentation and what developers have
//! reported; README.md lists what is from memory.

mod messaging;
mod parts;
mod reply;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::post;

use crate::fault_injection::{self, Target};
use crate::world::Shared;
use crate::world::fault::{Call, Provider};

const INTERNAL_ERROR: (StatusCode, &str) =
    (StatusCode::INTERNAL_SERVER_ERROR, "There was an internal server error.");
const NOT_FOUND: (StatusCode, &str) =
    (StatusCode::NOT_FOUND, "The requested resource could not be found.");

/// The routes below `/sms`.
pub(crate) fn routes(world: Shared) -> Router<Shared> {
    let faults = Target {
        world,
        provider: Provider::Sms,
        call: |_| Some(Call::Send),
        error: |_| INTERNAL_ERROR.into_response(),
    };
    let send = post(messaging::send).layer(from_fn_with_state(faults, fault_injection::inject));
    Router::new().route("/version1/messaging", send).fallback(async || NOT_FOUND)
}
