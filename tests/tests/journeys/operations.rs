//! Public lists, the key set, and health checks.

use journeys::{Mesh, RawReply};
use reqwest::Method;
use serde_json::Value;

#[tokio::test]
async fn every_service_answers_a_list_request() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let has = |payload: Value, names: &[&str]| {
        for item in payload.as_array().expect("a list") {
            for name in names {
                assert!(item.get(name).is_some(), "no {name} in {item}");
            }
        }
    };
    let games = mesh.get("/games/list").await;
    assert_eq!(games.message, "OK");
    has(games.ok(), &["id", "name", "packageId", "description", "gameIcon", "gameUrl", "featured"]);
    let tournaments = mesh.get("/tournaments").await.ok();
    has(tournaments, &["id", "name", "description", "gameId", "starts", "ends"]);
    let rooms = player.get("/chat-rooms/list").await.ok();
    has(rooms, &["id", "chatRoomUid", "name", "icon", "memberCount", "onlineMemberCount"]);
    let methods = mesh.get("/payment-methods/list").await.ok();
    assert_eq!(methods[0]["code"], "MPESA");
    has(methods, &["id", "name", "code"]);
}

#[tokio::test]
async fn unknown_ids_are_not_found() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let unknown = mesh.unique_id();
    assert_eq!(mesh.get(&format!("/games/get/{unknown}")).await.refusal(), (404, "GAME_NOT_FOUND"));
    assert_eq!(mesh.get(&format!("/tournaments/{unknown}")).await.status, 404);
    let user = player.get(&format!("/users/public/{unknown}")).await;
    assert_eq!(user.refusal(), (404, "USER_NOT_FOUND"));
    let username = player.get("/users/username/no.such.player").await;
    assert_eq!(username.refusal(), (404, "USER_NOT_FOUND"));
    assert_eq!(username.message, "User not found");
}

#[tokio::test]
async fn the_key_set_is_a_jwk_set_without_private_keys() {
    let mesh = Mesh::from_env();
    let answer = RawReply::to(mesh.call(Method::GET, "/.well-known/jwks.json")).await;
    assert_eq!(answer.status, 200);
    let keys: Value = serde_json::from_slice(&answer.body).unwrap();
    let keys = keys["keys"].as_array().expect("a JWK set without an envelope");
    assert!(!keys.is_empty());
    for key in keys {
        assert_eq!((&key["kty"], &key["crv"]), (&"OKP".into(), &"Ed25519".into()));
        assert!(key["kid"].is_string() && key["x"].is_string());
        assert!(key.get("d").is_none(), "a private key is published");
    }
}

#[tokio::test]
async fn health_checks_succeed_and_metrics_are_not_public() {
    let mesh = Mesh::from_env();
    for path in ["/healthz", "/readyz", "/statusz"] {
        let answer = RawReply::to(mesh.call(Method::GET, path)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    // Metrics have a port of their own.
    let answer = RawReply::to(mesh.call(Method::GET, "/metrics")).await;
    assert!(!answer.text().contains("_total"), "metrics on the public port");
}

#[tokio::test]
async fn guests_can_probe_the_login_and_list_the_providers() {
    let mesh = Mesh::from_env();
    let answer = RawReply::to(mesh.call(Method::HEAD, "/api/auth/login")).await;
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    let providers = mesh.get("/auth/providers").await.ok();
    assert_eq!(providers["email"], true);
    assert!(["phone", "google", "facebook"].iter().all(|name| providers[*name].is_boolean()));
}
