//! Paystack's envelope, its errors, and the check of the secret key.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::auth_header::credential;
use crate::world::World;

/// An error reply.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    kind: &'static str,
    code: &'static str,
    message: String,
}

impl Refusal {
    pub(super) fn new(
        status: StatusCode,
        kind: &'static str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self { status, kind, code, message: message.into() }
    }

    /// A request that is wrong by itself.
    pub(super) fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "validation_error", code, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({
            "status": false,
            "message": self.message,
            "meta": { "nextStep": "Check the request and try again" },
            "type": self.kind,
            "code": self.code,
        });
        (self.status, Json(body)).into_response()
    }
}

pub(super) fn ok(message: &str, data: Value) -> Json<Value> {
    Json(json!({ "status": true, "message": message, "data": data }))
}

pub(super) fn authorize(world: &World, headers: &HeaderMap) -> Result<(), Refusal> {
    match credential(headers, "Bearer") {
        Some(key) if key == world.paystack.secret_key => Ok(()),
        Some(_) => Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "validation_error",
            "invalid_Key",
            "Invalid key",
        )),
        None => Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "validation_error",
            "no_key",
            "No Authorization Header was found",
        )),
    }
}
