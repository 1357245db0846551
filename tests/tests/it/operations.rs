//! What is no player's business alone: lists for guests, keys, and whether the
//! house stands.

use journeys::{Answer, Mesh};
use reqwest::Method;
use serde_json::Value;

#[tokio::test]
async fn every_service_answers() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
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
async fn nothing_is_found_under_an_id_that_nobody_has() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let nobody = mesh.new_name();
    assert_eq!(mesh.get(&format!("/games/get/{nobody}")).await.refusal(), (404, "GAME_NOT_FOUND"));
    assert_eq!(mesh.get(&format!("/tournaments/{nobody}")).await.status, 404);
    let user = player.get(&format!("/users/public/{nobody}")).await;
    assert_eq!(user.refusal(), (404, "USER_NOT_FOUND"));
    let username = player.get("/users/username/no.such.player").await;
    assert_eq!(username.refusal(), (404, "USER_NOT_FOUND"));
    assert_eq!(username.message, "User not found");
}

#[tokio::test]
async fn the_keys_are_a_standards_document() {
    let mesh = Mesh::from_env();
    let answer = Answer::to(mesh.call(Method::GET, "/.well-known/jwks.json")).await;
    assert_eq!(answer.status, 200);
    let keys: Value = serde_json::from_slice(&answer.body).unwrap();
    let keys = keys["keys"].as_array().expect("a key set without an envelope");
    assert!(!keys.is_empty());
    for key in keys {
        assert_eq!((&key["kty"], &key["crv"]), (&"OKP".into(), &"Ed25519".into()));
        assert!(key["kid"].is_string() && key["x"].is_string());
        assert!(key.get("d").is_none(), "the private half is published");
    }
}

#[tokio::test]
async fn the_house_says_that_it_stands() {
    let mesh = Mesh::from_env();
    for path in ["/healthz", "/readyz"] {
        let answer = Answer::to(mesh.call(Method::GET, path)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    // Metrics are not the public's.
    let answer = Answer::to(mesh.call(Method::GET, "/metrics")).await;
    assert!(!answer.text().contains("_total"), "metrics on the public port");
}

#[tokio::test]
async fn the_door_can_be_tried_without_an_account() {
    let mesh = Mesh::from_env();
    let answer = Answer::to(mesh.call(Method::HEAD, "/api/auth/login")).await;
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    let providers = mesh.get("/auth/providers").await.ok();
    assert_eq!(providers["email"], true);
    assert!(["phone", "google", "facebook"].iter().all(|name| providers[*name].is_boolean()));
}
