//! Verification of providers' replies, and outages.

use std::time::Duration;

use axum::{Json, Router, routing::get};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use mesh::Fault;
use serde_json::{Value, json};
use tonic::Code;
use types::Clock;

use crate::{
    harness::{Service, connect},
    social::{Back, Facebook, Google, Social},
};

async fn world() -> Social {
    let world = Social::new().await;
    for provider in [Google, Facebook] {
        world.account(provider, "mary@gmail.com", json!({})).await;
    }
    world
}

fn assert_failed<T: std::fmt::Debug>(outcome: Result<T, Fault>, what: &str) {
    let fault = outcome.unwrap_err();
    assert_eq!(
        (fault.code, fault.reason.as_ref()),
        (Code::Unauthenticated, "OAUTH_FAILED"),
        "{what}"
    );
    assert_eq!(fault.message, "We could not sign you in with Google. Please try again.", "{what}");
}

fn assert_away<T: std::fmt::Debug>(outcome: Result<T, Fault>, what: &str) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unavailable, "UNAVAILABLE"), "{what}");
}

async fn no_player_was_created(auth: &Service) {
    let players: i64 = sqlx::query_scalar("SELECT count(*) FROM player")
        .fetch_one(&mut connect(&auth.database).await)
        .await
        .unwrap();
    assert_eq!(players, 0);
}

#[tokio::test]
async fn an_id_token_with_an_invalid_claim_or_signature_is_refused() {
    let world = world().await;
    for tamper in ["wrong_nonce", "wrong_signature", "wrong_audience", "wrong_issuer", "expired"] {
        world.control("social", json!({ "tamper": tamper })).await;
        assert_failed(world.sign_in(Google, "mary@gmail.com").await, tamper);
    }
    no_player_was_created(&world.auth).await;
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
}

#[tokio::test]
async fn a_providers_clock_may_differ_by_a_minute() {
    let now = Clock::system().now();
    let hour = time::Duration::HOUR;
    for (what, ours, accepted) in [
        ("ours goes slow", now - time::Duration::seconds(40), true),
        ("the token is from the future", now - time::Duration::seconds(120), false),
        ("it expired a moment ago", now + hour + time::Duration::seconds(20), true),
        ("it has expired", now + hour + time::Duration::seconds(120), false),
    ] {
        let world = Social::at(ours, &[]).await;
        world.account(Google, "mary@gmail.com", json!({})).await;
        let outcome = world.sign_in(Google, "mary@gmail.com").await;
        if accepted { assert!(outcome.is_ok(), "{what}") } else { assert_failed(outcome, what) }
    }
}

#[tokio::test]
async fn an_unknown_key_is_fetched_after_a_pause() {
    let world = world().await;
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
    world.rotate().await;
    assert_failed(world.sign_in(Google, "mary@gmail.com").await, "the keys were just fetched");
    world.auth.clock.advance(Duration::from_secs(3));
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
}

#[tokio::test]
async fn an_unavailable_provider_is_reported_as_unavailable() {
    let world = world().await;
    for (provider, name, call) in [
        (Google, "google", "token"),
        (Google, "google", "jwks"),
        (Facebook, "facebook", "token"),
        (Facebook, "facebook", "me"),
    ] {
        for kind in ["down", "http500"] {
            world.fail_next(name, call, kind).await;
            let outcome = world.sign_in(provider, "mary@gmail.com").await;
            assert_away(outcome, &format!("{name} {call} {kind}"));
            world.auth.clock.advance(Duration::from_secs(3));
        }
    }
    no_player_was_created(&world.auth).await;
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
    world.join(Facebook, "mary@gmail.com").await.unwrap();
}

#[tokio::test]
async fn without_googles_configuration_no_sign_in_starts() {
    let world = world().await;
    world.fail_next("google", "discovery", "down").await;
    assert_away(world.start(Google).await, "down");
    assert_away(world.start(Google).await, "it is not fetched again at once");
    world.start(Facebook).await.unwrap();
    world.auth.clock.advance(Duration::from_secs(3));
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
}

#[tokio::test]
async fn a_slow_provider_is_reported_as_unavailable() {
    let world = Social::at(Clock::system().now(), &["--oauth-timeout=1s"]).await;
    world.account(Facebook, "mary@gmail.com", json!({})).await;
    world.fail_next("facebook", "token", "slow").await;
    // The reply would take 35 s, more than the call's deadline of 15 s, whose error differs.
    assert_away(world.sign_in(Facebook, "mary@gmail.com").await, "slow");
}

/// A stub Google with scripted replies; it does not sign.
async fn liar(discovery: fn(&str) -> Value, token: Value, keys: Value) -> Social {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let described = discovery(&issuer);
    let app = Router::new()
        .route("/.well-known/openid-configuration", get(async move || Json(described)))
        .route("/token", axum::routing::post(async move || Json(token)))
        .route("/jwks", get(async move || Json(keys)));
    #[expect(clippy::disallowed_methods, reason = "it dies with the test's runtime")]
    tokio::spawn(async move { axum::serve(listener, app).await });
    Social::at(Clock::system().now(), &[&format!("--google-issuer={issuer}")]).await
}

fn described(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
    })
}

/// Finishes an attempt with a code that Google did not issue.
async fn finish(world: &Social) -> Result<String, Fault> {
    let started = world.start(Google).await.unwrap();
    let answer = Some(proto::auth::v1::finish_o_auth_request::Answer::Code("code".to_owned()));
    let (state, browser_secret) = (started.state, started.browser_secret);
    world.finish(Back { provider: Google, state, browser_secret, answer }).await
}

#[tokio::test]
async fn a_token_cannot_choose_its_algorithm() {
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let claims = part(json!({ "iss": "x", "aud": "playon-google", "sub": "1", "exp": 4e9 }));
    let keys = json!({ "keys": [
        { "kty": "oct", "k": URL_SAFE_NO_PAD.encode([7; 32]), "kid": "shared", "alg": "HS256" },
    ] });
    for (what, header) in [
        ("unsigned", json!({ "alg": "none", "kid": "shared" })),
        ("signed with a shared secret", json!({ "alg": "HS256", "kid": "shared" })),
        ("RSA in name", json!({ "alg": "RS256", "kid": "shared" })),
        ("no key named", json!({ "alg": "RS256" })),
        ("an unknown key", json!({ "alg": "RS256", "kid": "other" })),
    ] {
        let token = format!("{}.{claims}.{}", part(header), URL_SAFE_NO_PAD.encode([0; 32]));
        let world = liar(described, json!({ "id_token": token }), keys.clone()).await;
        assert_failed(finish(&world).await, what);
    }
}

#[tokio::test]
async fn a_reply_that_is_too_large_or_malformed_is_refused() {
    let keys = json!({ "keys": [] });
    for (what, token) in [
        ("no ID token", json!({ "access_token": "x" })),
        ("no token at all", json!([])),
        ("no JWT", json!({ "id_token": "a.b.c" })),
        ("far too large", json!({ "id_token": "x".repeat(70_000) })),
    ] {
        let world = liar(described, token, keys.clone()).await;
        assert_failed(finish(&world).await, what);
    }
}

#[tokio::test]
async fn the_configuration_of_another_issuer_is_refused() {
    let other = |_: &str| described("https://accounts.example");
    let world = liar(other, json!({}), json!({ "keys": [] })).await;
    assert_away(world.start(Google).await, "another issuer");
    let astray = |issuer: &str| {
        json!({
            "issuer": issuer,
            "authorization_endpoint": "javascript:alert(1)",
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/jwks"),
        })
    };
    let world = liar(astray, json!({}), json!({ "keys": [] })).await;
    assert_away(world.start(Google).await, "no address of a page");
}
