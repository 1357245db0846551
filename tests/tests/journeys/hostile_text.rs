//! Sends hostile texts in every path parameter, query parameter and JSON field that a signed-in
//! player can set: each call is served or refused, and none fails.

use journeys::{LiveStream, Mesh, Player, RawReply};
use proto::live::v1::{RoomCursor, SubscribeRequest};
use reqwest::Method;
use serde_json::{Map, Value, json};

/// The contract of the gateway.
const OPENAPI: &str = include_str!("../../../gateway/openapi.json");

/// The hostile texts, each as JSON source and as a part of a path: U+0000, half of a surrogate
/// pair, invisible characters and characters that reverse the direction of text, SQL, a path, and a
/// text longer than any field.
fn hostile() -> [(String, String); 8] {
    let long = "x".repeat(5_000);
    [
        (r#""a\u0000b""#, "a%00b"),
        (r#""\ud800""#, "%ED%A0%80"),
        (r#""\u3164\u2800""#, "%E3%85%A4%E2%A0%80"),
        (r#""\u202eA""#, "%E2%80%AEA"),
        (r#""' OR 1=1 --""#, "%27%20OR%201=1%20--"),
        (r#""../../etc/passwd""#, "..%2F..%2Fetc%2Fpasswd"),
        (r#""\ufeff""#, "%EF%BB%BF"),
        (&format!("\"{long}\""), &long),
    ]
    .map(|(json, path)| (json.to_owned(), path.to_owned()))
}

/// An operation of the contract that needs a signed-in player.
struct Operation {
    method: Method,
    path: String,
    /// The names of texts in the path and in the query.
    in_path: Vec<String>,
    in_query: Vec<String>,
    /// The fields of the body, with a value for each.
    body: Map<String, Value>,
}

fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, operations)| {
        operations.as_object().unwrap().iter().map(move |(method, about)| (path, method, about))
    });
    // Sign-in calls are left out, because they are limited by network, which other journeys share.
    let for_players = all.filter(|(path, _, about)| {
        about["security"] == json!([{"bearer": []}]) && !path.starts_with("/api/auth/")
    });
    let operations = for_players.map(|(path, method, about)| {
        let parameters = about["parameters"].as_array().cloned().unwrap_or_default();
        let named = |place: &str| {
            let here = parameters.iter().filter(|one| one["in"] == place);
            here.map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let schema = &about["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let schema = schema.as_str().map(|name| name.trim_start_matches('#'));
        let fields = schema.and_then(|name| document.pointer(name)?["properties"].as_object());
        let body = fields.into_iter().flatten();
        Operation {
            method: method.to_uppercase().parse().unwrap(),
            path: path.clone(),
            in_path: named("path"),
            in_query: named("query"),
            body: body.map(|(name, about)| (name.clone(), usual(name, about))).collect(),
        }
    });
    operations.collect()
}

/// A usual value of a field.
fn usual(name: &str, about: &Value) -> Value {
    match about["type"].as_str().or_else(|| about["type"][0].as_str()) {
        Some("integer" | "number") => json!(100),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ if name == "chatType" => json!("TEXT"),
        _ => json!("lobby"),
    }
}

impl Operation {
    /// The calls with a hostile text in one place each: a URL and the source of a JSON body.
    fn calls(&self, player: &Player) -> Vec<(String, String)> {
        let body = serde_json::to_string(&self.body).unwrap();
        let filled = |but: Option<(&str, &str)>| {
            let names = self.in_path.iter();
            names.fold(self.path.clone(), |path, name| {
                let own = if name == "uid" { &*player.uid } else { "lobby" };
                let text = but.filter(|(wanted, _)| wanted == name).map_or(own, |(_, text)| text);
                path.replace(&format!("{{{name}}}"), text)
            })
        };
        let mut calls = Vec::new();
        for (json, path) in hostile() {
            for name in &self.in_path {
                calls.push((filled(Some((name, &path))), body.clone()));
            }
            for name in &self.in_query {
                calls.push((format!("{}?{name}={path}", filled(None)), body.clone()));
            }
            for (name, value) in &self.body {
                let sources = match value {
                    Value::Array(_) => format!("[{json}]"),
                    _ => json.clone(),
                };
                let place = format!("\"{name}\":{value}");
                let with = body.replace(&place, &format!("\"{name}\":{sources}"));
                assert_ne!(with, body, "{name} is in {body}");
                calls.push((filled(None), with));
            }
        }
        calls
    }
}

#[tokio::test]
async fn no_text_of_a_player_makes_a_call_fail() {
    let mesh = Mesh::from_env();
    let operations = operations();
    assert!(operations.len() > 40, "the contract has {} operations", operations.len());
    let (mut calls, mut failed) = (0, Vec::new());
    for operation in &operations {
        // A new player for each operation, because calls are limited by player.
        let player = mesh.new_player().await;
        for (path, body) in operation.calls(&player) {
            calls += 1;
            let call = mesh.call(operation.method.clone(), &path).bearer_auth(&player.access_token);
            let call = call.header("idempotency-key", mesh.unique_id());
            let call = if operation.body.is_empty() {
                call
            } else {
                call.header("content-type", "application/json").body(body.clone())
            };
            let reply = RawReply::to(call).await;
            if reply.status >= 500 || reply.status == 429 {
                let short = |text: &str| text.chars().take(200).collect::<String>();
                failed.push(format!(
                    "{} {} {}: {}",
                    operation.method,
                    short(&path),
                    short(&body),
                    reply.status
                ));
            }
        }
    }
    assert!(calls > 500, "{calls} calls");
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test]
async fn a_live_stream_of_a_room_that_cannot_be_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    for name in ["a\0b", "\u{3164}", "' OR 1=1 --"] {
        let room = RoomCursor { chat_room_uid: name.into(), ..RoomCursor::default() };
        let request = SubscribeRequest { rooms: vec![room], ..SubscribeRequest::default() };
        let call = LiveStream::call_for(&mesh, &request).bearer_auth(&player.access_token);
        let reply = RawReply::to(call).await;
        assert_eq!(reply.header("grpc-status"), Some("7"), "{name:?}: {reply:?}");
    }
}
