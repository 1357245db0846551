//! Errors and request bodies of the control API.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::json;

/// A refused request, with a sentence for the author of the test.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    error: String,
}

impl ApiError {
    fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into() }
    }

    pub(super) fn bad_request(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    pub(super) fn not_found(error: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    pub(super) fn conflict(error: &str) -> Self {
        Self::new(StatusCode::CONFLICT, error)
    }

    pub(super) fn too_many(error: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, error)
    }

    pub(super) fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "this path has other methods; see README.md")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.error }))).into_response()
    }
}

/// A JSON body, whatever the content type: `curl -d` is enough.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| ApiError::new(rejection.status(), rejection.body_text()))?;
        let value = serde_json::from_slice(&bytes);
        value.map(Self).map_err(|error| ApiError::bad_request(error.to_string()))
    }
}
