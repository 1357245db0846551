//! A handler that panics costs its caller a 500, and nobody else anything.

use std::any::Any;

use axum::response::{IntoResponse, Response};
use mesh::Fault;
use tower_http::catch_panic::CatchPanicLayer;

use crate::envelope::Refusal;

/// How a panic is answered.
type Answer = fn(Box<dyn Any + Send>) -> Response;

/// The layer.
pub fn layer() -> CatchPanicLayer<Answer> {
    CatchPanicLayer::custom(answer as Answer)
}

#[expect(clippy::needless_pass_by_value, reason = "the form that the layer takes")]
fn answer(panic: Box<dyn Any + Send>) -> Response {
    Refusal::from(fault("a handler", &*panic)).into_response()
}

/// What its caller is told of a panic; the log is told more.
pub(crate) fn fault(whose: &str, panic: &(dyn Any + Send)) -> Fault {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    Fault::failure(&anyhow::anyhow!("{whose} panicked: {text}"))
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, routing::get};
    use http::{Request, StatusCode};
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_envelope_that_says_nothing() {
        let router = Router::new()
            .route("/", get(async || -> &'static str { panic!("at the disco") }))
            .layer(layer());
        let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = axum::body::to_bytes(response.into_body(), 1_024).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["payload"]["code"], "INTERNAL");
        assert!(!body.to_string().contains("disco"));
    }
}
