//! The OpenAPI document of these calls, for development.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::header::CONTENT_TYPE;

use crate::{Gateway, envelope::Refusal};

/// The document that `tests/openapi.rs` writes.
const DOCUMENT: &str = include_str!("../../openapi.json");

/// `GET /openapi.json`: a 404 unless the gateway was started with `--serve-openapi`.
pub(crate) async fn read(State(gateway): State<Gateway>) -> Result<Response, Refusal> {
    if !gateway.args().serve_openapi {
        return Err(Refusal::not_found());
    }
    Ok(([(CONTENT_TYPE, "application/json")], DOCUMENT).into_response())
}
