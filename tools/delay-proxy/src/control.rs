//! The control API.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    routing::{get, put},
};

use crate::route::Route;

pub(crate) fn router(routes: Vec<Route>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/routes/{name}/delay/{milliseconds}", put(set_delay))
        .with_state(Arc::new(routes))
}

async fn set_delay(
    State(routes): State<Arc<Vec<Route>>>,
    Path((name, milliseconds)): Path<(String, u64)>,
) -> StatusCode {
    let mut status = StatusCode::NOT_FOUND;
    for route in routes.iter().filter(|route| route.name == name) {
        route.set_delay(Duration::from_millis(milliseconds));
        status = StatusCode::NO_CONTENT;
    }
    status
}
