//! The OpenAPI document.

use crate::world::{World, read};

#[tokio::test]
async fn the_document_is_served_in_development_alone() {
    let world = World::new().await;
    let answer = read(world.get("/api/openapi.json")).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let document: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(document["openapi"], "3.1.0");

    let world = World::with(|args| args.serve_openapi = false).await;
    let answer = read(world.get("/api/openapi.json")).await;
    assert_eq!(answer.refusal(), (404, "NOT_FOUND".into()));
}
