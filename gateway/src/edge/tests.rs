use axum::body::Body;
use clap::Parser as _;
use tower::service_fn;

use super::*;
use crate::Args;

#[tokio::test]
async fn a_handler_that_panics_is_answered_with_an_envelope() {
    let base = testkit::base("gateway");
    let upstreams = ["auth", "wallet", "games", "tournament", "chat"];
    let upstreams = upstreams.map(|name| format!("--{name}-url=https://127.0.0.1:1"));
    let media = std::env::temp_dir().join("playon-edge-test");
    let args = Args::parse_from(
        [
            "gateway".to_owned(),
            "--listen=127.0.0.1:0".to_owned(),
            "--metrics-listen=127.0.0.1:0".to_owned(),
            "--tls-dir=/nowhere".to_owned(),
            format!("--device-secret={}", "A".repeat(43)),
            "--public-url=http://127.0.0.1".to_owned(),
            "--games-origin=http://{slug}.localhost".to_owned(),
            format!("--media-url=file://{}", media.display()),
        ]
        .into_iter()
        .chain(upstreams),
    );
    let gateway = Gateway::new(&base, args).unwrap();
    let handler = service_fn(async |_: Request| -> Result<Response, Infallible> {
        panic!("at the disco");
    });
    let edge = EdgeLayer::new(&gateway).layer(handler);
    let response = edge.oneshot(Request::new(Body::empty())).await.unwrap();
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let body = axum::body::to_bytes(response.into_body(), 1_024).await.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["payload"]["code"], "INTERNAL");
    assert!(!body.to_string().contains("disco"));
}
