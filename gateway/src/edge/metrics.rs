//! Rate, errors and duration of each route, for Prometheus.
//!
//! Live streams are always 200 here; how they end is counted where they end.

use axum::{extract::Request, middleware::Next, response::Response};
use metrics::{counter, histogram};
use tokio::time::Instant;

use super::{label, method_label};

/// Counts one call.
pub async fn count(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = label(&request);
    let method = method_label(request.method());
    let response = next.run(request).await;
    histogram!("http_server_duration_seconds", "method" => method, "route" => route.clone())
        .record(started.elapsed().as_secs_f64());
    let status = response.status().as_u16().to_string();
    counter!(
        "http_server_requests_total",
        "method" => method, "route" => route, "status" => status
    )
    .increment(1);
    response
}
