//! Safaricom Daraja, as far as PlayOn calls it, on its real paths.
//!
//! Shapes, codes and quirks follow the official portal and what developers have
//! seen of the real thing; README.md lists what is remembered rather than
//! documented.

mod callback;
mod ids;
mod judge;
pub(crate) mod prompt;
mod refusal;
mod stk;
mod token;
mod trouble;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::world::Shared;
use refusal::Refusal;

/// Everything below `/daraja`.
pub(crate) fn routes(world: Shared) -> Router<Shared> {
    Router::new()
        .route("/oauth/v1/generate", get(token::generate))
        .route("/mpesa/stkpush/v1/processrequest", post(stk::process_request))
        .route("/mpesa/stkpushquery/v1/query", post(stk::query))
        .method_not_allowed_fallback(async || Refusal::method_not_allowed())
        .fallback(async || Refusal::no_such_resource())
        .layer(from_fn_with_state(world, trouble::suffer))
}
