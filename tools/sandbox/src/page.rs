//! The page for people: handsets with a PIN pad, the mailbox, accounts and the
//! bank; and the styles of the sign-in pages.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, get};

use crate::world::Shared;

/// The page loads only its own files and cannot be framed.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/", file("text/html; charset=utf-8", include_str!("page/index.html")))
        .route("/tokens.css", style(include_str!("page/tokens.css")))
        .route("/sign-in.css", style(include_str!("page/sign-in.css")))
        .route("/card.css", style(include_str!("page/card.css")))
        .route("/page.css", style(include_str!("page/page.css")))
        .route("/page.js", script(include_str!("page/page.js")))
        .route("/dom.js", script(include_str!("page/dom.js")))
        .route("/mailbox.js", script(include_str!("page/mailbox.js")))
        .route("/money.js", script(include_str!("page/money.js")))
        .route("/orders.js", script(include_str!("page/orders.js")))
        .route("/scripts.js", script(include_str!("page/scripts.js")))
        .route("/phone.js", script(include_str!("page/phone.js")))
        .route("/icon.svg", file("image/svg+xml", include_str!("page/icon.svg")))
}

fn script(text: &'static str) -> MethodRouter<Shared> {
    file("text/javascript; charset=utf-8", text)
}

fn style(text: &'static str) -> MethodRouter<Shared> {
    file("text/css; charset=utf-8", text)
}

fn file(kind: &'static str, text: &'static str) -> MethodRouter<Shared> {
    get(async move || {
        let headers: [(HeaderName, HeaderValue); 4] = [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            // A new build may change the file.
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
        (headers, text).into_response()
    })
}
