//! How Daraja says no.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// An error reply: an HTTP status, `errorCode` and `errorMessage`. One code has
/// several meanings that only the text tells apart, so the text is wire too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    pub(super) fn bad_authentication() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "400.008.01", "Invalid Authentication passed")
    }

    pub(super) fn bad_grant_type() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "400.008.02", "Invalid grant type passed")
    }

    pub(super) fn bad_token() -> Self {
        Self::new(StatusCode::NOT_FOUND, "404.001.03", "Invalid Access Token")
    }

    pub(super) fn bad_payload() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "400.002.05", "Invalid Request Payload")
    }

    pub(super) fn bad_field(name: &str) -> Self {
        let message = format!("Bad Request - Invalid {name}");
        Self::new(StatusCode::BAD_REQUEST, "400.002.02", message)
    }

    pub(super) fn no_such_resource() -> Self {
        Self::new(StatusCode::NOT_FOUND, "404.001.01", "Resource not found")
    }

    pub(super) fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "405.001", "Method Not Allowed")
    }

    pub(super) fn no_such_merchant() -> Self {
        Self::busy_1001("Merchant does not exist")
    }

    pub(super) fn wrong_credentials() -> Self {
        Self::busy_1001("Wrong credentials")
    }

    pub(super) fn line_busy() -> Self {
        Self::busy_1001(
            "Unable to lock subscriber, a transaction is already in process for the current subscriber",
        )
    }

    pub(super) fn still_processing() -> Self {
        Self::busy_1001("The transaction is being processed")
    }

    pub(super) fn spike_arrest() -> Self {
        let message = "Error Occurred: Spike Arrest Violation";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "500.003.02", message)
    }

    pub(super) fn system_busy() -> Self {
        let message = "System is busy. Please try again in few minutes.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "500.003.02", message)
    }

    pub(super) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "500.003.1001", "Internal Server Error")
    }

    fn busy_1001(message: &str) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "500.001.1001", message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({
            "requestId": super::ids::request_id(),
            "errorCode": self.code,
            "errorMessage": self.message,
        });
        (self.status, Json(body)).into_response()
    }
}
