//! Bodies that are malformed, too long, or of another type.

use std::convert::Infallible;

use axum::body::Bytes;
use http_body::Frame;
use http_body_util::StreamBody;
use proto::auth::v1::SignInRequest;

use crate::world::{World, read};

#[tokio::test]
async fn malformed_json_is_refused() {
    let world = World::new().await;
    for json in ["", "{", "{\"email\":}", "NaN", "{} {}", "\u{0}"] {
        let answer = read(world.send("POST", "/api/auth/sign-in", json)).await;
        assert_eq!(answer.refusal(), (400, "MALFORMED_JSON".into()), "{json}");
    }
    let call = world
        .send("POST", "/api/auth/sign-in", "")
        .body(vec![b'{', b'"', 0xff, b'"', b':', b'1', b'}']);
    assert_eq!(read(call).await.status, 400);
}

#[tokio::test]
async fn a_refusal_names_every_field_of_a_wrong_type() {
    let world = World::new().await;
    let json = r#"{"email":7,"password":["x"],"captcha":true}"#;
    let answer = read(world.send("POST", "/api/auth/sign-up", json)).await;
    assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()));
    assert_eq!(answer.wrong_fields(), ["captcha", "email", "password"]);

    for json in ["[]", "null", "\"email\"", "7"] {
        let answer = read(world.send("POST", "/api/auth/sign-in", json)).await;
        assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{json}");
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_absent_ones_sent_empty() {
    let world = World::new().await;
    let json = r#"{"email":"a@b.ke","iv":"x","nested":{"deep":[1,2]}}"#;
    let answer = read(world.send("POST", "/api/auth/sign-in", json)).await;
    assert_eq!(answer.status, 200);
    let received = world.stub.received::<SignInRequest>();
    assert_eq!(received[0].1.email, "a@b.ke");
    assert_eq!(received[0].1.password, "");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_with_and_without_a_length() {
    let world = World::new().await;
    let padding = "x".repeat(64 * 1024);
    let json = format!(r#"{{"email":"{padding}"}}"#);
    let answer = read(world.send("POST", "/api/auth/sign-in", &json)).await;
    assert_eq!(answer.refusal(), (413, "BODY_TOO_LARGE".into()));

    // The body is sent in pieces, without a content-length.
    let piece = Bytes::from(vec![b' '; 8 * 1024]);
    let pieces = (0..9).map(move |_| Ok::<_, Infallible>(Frame::data(piece.clone())));
    let body = reqwest::Body::wrap(StreamBody::new(tokio_stream::iter(pieces)));
    let call = world.send("POST", "/api/auth/sign-in", "").body(body);
    let answer = read(call).await;
    assert_eq!(answer.refusal(), (413, "BODY_TOO_LARGE".into()));

    let json = format!(r#"{{"email":"{}"}}"#, "x".repeat(64 * 1024 - 12));
    assert_eq!(json.len(), 64 * 1024);
    let answer = read(world.send("POST", "/api/auth/sign-in", &json)).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn only_json_is_read() {
    let world = World::new().await;
    let json = r#"{"email":"a@b.ke","password":"secret"}"#;
    for content_type in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
    ] {
        let mut call = world.call("POST", "/api/auth/sign-in").body(json);
        if let Some(content_type) = content_type {
            call = call.header("content-type", content_type);
        }
        let answer = read(call).await;
        assert_eq!(answer.refusal(), (415, "UNSUPPORTED_MEDIA".into()), "{content_type:?}");
    }
    let call = world
        .call("POST", "/api/auth/sign-in")
        .header("content-type", "Application/JSON; charset=utf-8")
        .body(json);
    assert_eq!(read(call).await.status, 200);
}

#[tokio::test]
async fn a_path_that_is_not_utf8_and_a_page_that_is_no_number_are_refused() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/payments/%ff")).await;
    assert_eq!(answer.refusal(), (404, "NOT_FOUND".into()));
    for (query, field) in [
        ("page=-1", "page"),
        ("page=x", "page"),
        ("pageSize=1.5", "pageSize"),
        ("pageSize=99999999999", "pageSize"),
    ] {
        let answer = read(world.get_signed_in(&format!("/api/wallets/list?{query}"))).await;
        assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{query}");
        assert_eq!(answer.wrong_fields(), [field]);
    }
}
