//! Replies of the control API.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::json;

/// A request that cannot be carried out, with the reason in words: it is read
/// by whoever writes the test.
#[derive(Debug)]
pub(super) struct Trouble {
    status: StatusCode,
    error: String,
}

impl Trouble {
    pub(super) fn bad_request(error: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error: error.into() }
    }

    pub(super) fn not_found(error: impl Into<String>) -> Self {
        Self { status: StatusCode::NOT_FOUND, error: error.into() }
    }

    pub(super) fn conflict(error: impl Into<String>) -> Self {
        Self { status: StatusCode::CONFLICT, error: error.into() }
    }

    pub(super) fn too_many(error: impl Into<String>) -> Self {
        Self { status: StatusCode::TOO_MANY_REQUESTS, error: error.into() }
    }

    pub(super) fn method_not_allowed() -> Self {
        Self { status: StatusCode::METHOD_NOT_ALLOWED, error: "another method".into() }
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.error }))).into_response()
    }
}

/// A JSON body, whatever the content type says: `curl -d` is enough.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Trouble;

    async fn from_request(request: Request, state: &S) -> Result<Self, Trouble> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| Trouble {
            status: rejection.status(),
            error: rejection.body_text(),
        })?;
        let value = serde_json::from_slice(&bytes);
        value.map(Self).map_err(|error| Trouble::bad_request(error.to_string()))
    }
}
