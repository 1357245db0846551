//! Africa's Talking SMS, the classic call, on its real path.
//!
//! Shapes and codes follow the provider's documentation and what developers
//! have seen; README.md lists what is remembered rather than documented.

mod messaging;
mod parts;
mod reply;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::post;

use crate::trouble;
use crate::world::Shared;
use crate::world::fault::{Call, Provider};

/// Everything below `/sms`.
pub(crate) fn routes(world: Shared) -> Router<Shared> {
    let suffering = from_fn_with_state(world, suffer);
    Router::new()
        .route("/version1/messaging", post(messaging::send).layer(suffering))
        .fallback(async || (StatusCode::NOT_FOUND, "The requested resource could not be found."))
}

async fn suffer(State(world): State<Shared>, request: Request, next: Next) -> Response {
    let Some(fault) = trouble::strike(&world, Provider::Sms, Call::Send).await else {
        return next.run(request).await;
    };
    let refusal = (StatusCode::INTERNAL_SERVER_ERROR, "There was an internal server error.");
    trouble::suffer(&world, &fault, refusal.into_response(), request, next).await
}
