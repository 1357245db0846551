//! The people's page: handsets to look at and to type on.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::get;

use crate::world::Shared;

/// Everything that the page loads comes from here, and nothing may frame it.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/", file("text/html; charset=utf-8", include_str!("page/index.html")))
        .route("/tokens.css", file("text/css; charset=utf-8", include_str!("page/tokens.css")))
        .route("/sign-in.css", file("text/css; charset=utf-8", include_str!("page/sign-in.css")))
        .route("/page.css", file("text/css; charset=utf-8", include_str!("page/page.css")))
        .route("/page.js", file("text/javascript; charset=utf-8", include_str!("page/page.js")))
        .route("/icon.svg", file("image/svg+xml", include_str!("page/icon.svg")))
}

fn file(kind: &'static str, text: &'static str) -> axum::routing::MethodRouter<Shared> {
    get(async move || {
        let headers: [(HeaderName, HeaderValue); 4] = [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            // It changes with the program that serves it.
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
        (headers, text).into_response()
    })
}
