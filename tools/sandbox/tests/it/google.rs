//! Sign-in with Google.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::browser::{
    Browser, MARY, REDIRECT, VERIFIER, order, put_mary, query_param, redirect, with_mary,
};
use crate::support::Harness;

fn form(code: &str) -> Vec<(&str, &str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
        ("client_id", "playon-google"),
        ("client_secret", "playon-google-secret"),
    ]
}

async fn exchange(sandbox: &Harness, form: &[(&str, &str)]) -> (StatusCode, Value) {
    let url = sandbox.url("/oidc/google/token");
    let reply = sandbox.http.post(url).form(form).send().await.unwrap();
    assert_eq!(reply.headers()["cache-control"], "no-store");
    (reply.status(), reply.json().await.unwrap())
}

/// Signs Mary in and returns the token reply.
async fn tokens(sandbox: &Harness) -> Value {
    let code = Browser::at_google(sandbox).code_for(MARY).await;
    let (status, tokens) = exchange(sandbox, &form(&code)).await;
    assert_eq!(status, StatusCode::OK, "{tokens}");
    tokens
}

async fn get(sandbox: &Harness, path: &str) -> Value {
    let url = sandbox.url(&format!("/oidc/google{path}"));
    sandbox.http.get(url).send().await.unwrap().json().await.unwrap()
}

/// Validates an ID token as a client should.
async fn checked(sandbox: &Harness, tokens: &Value) -> Result<Value, String> {
    let token = tokens["id_token"].as_str().unwrap();
    let keys: JwkSet = serde_json::from_value(get(sandbox, "/jwks").await).unwrap();
    let kid = decode_header(token).unwrap().kid.unwrap();
    let key = DecodingKey::from_jwk(keys.find(&kid).expect("the key is published")).unwrap();
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_audience(&["playon-google"]);
    validation.set_issuer(&[sandbox.url("/oidc/google")]);
    let claims = decode::<Value>(token, &key, &validation).map_err(|error| error.to_string())?;
    let claims = claims.claims;
    if claims["nonce"] == "the-nonce" { Ok(claims) } else { Err("nonce".to_owned()) }
}

#[tokio::test]
async fn serves_the_discovery_document() {
    let sandbox = Harness::start().await;
    let description = get(&sandbox, "/.well-known/openid-configuration").await;
    let issuer = sandbox.url("/oidc/google");
    assert_eq!(description["issuer"], issuer);
    for (name, path) in [
        ("authorization_endpoint", "/authorize"),
        ("token_endpoint", "/token"),
        ("userinfo_endpoint", "/userinfo"),
        ("jwks_uri", "/jwks"),
    ] {
        assert_eq!(description[name], format!("{issuer}{path}"));
    }
    assert_eq!(description["code_challenge_methods_supported"], json!(["S256"]));
}

#[tokio::test]
async fn returns_the_profile_of_the_signed_in_account() {
    let sandbox = Harness::start().await;
    let account = put_mary(&sandbox, "google").await;
    let browser = Browser::at_google(&sandbox);
    let back = redirect(&browser.submit(&[("account", MARY)]).await);
    assert_eq!(query_param(&back, "iss"), Some(sandbox.url("/oidc/google")));
    let code = query_param(&back, "code").unwrap();
    assert!(code.starts_with("4/0A"), "{code}");

    let (status, tokens) = exchange(&sandbox, &form(&code)).await;
    assert_eq!(status, StatusCode::OK, "{tokens}");
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(3599)));
    let claims = checked(&sandbox, &tokens).await.unwrap();
    assert_eq!(claims["sub"], account["sub"]);
    assert_eq!(claims["email"], MARY);
    assert_eq!(claims["email_verified"], true);
    assert_eq!(claims["name"], "Mary Wanjiku");
    assert_eq!(claims["given_name"], "Mary");
    assert_eq!(claims["azp"], "playon-google");

    let url = sandbox.url("/oidc/google/userinfo");
    let access = tokens["access_token"].as_str().unwrap();
    let reply = sandbox.http.get(&url).bearer_auth(access).send().await.unwrap();
    let person: Value = reply.json().await.unwrap();
    assert_eq!((&person["sub"], &person["email"]), (&account["sub"], &json!(MARY)));
    let unknown = sandbox.http.get(&url).bearer_auth("ya29.x").send().await.unwrap();
    assert_eq!(unknown.status(), StatusCode::UNAUTHORIZED);
    assert!(unknown.headers().contains_key("www-authenticate"));
}

#[tokio::test]
async fn scopes_limit_the_claims() {
    let sandbox = with_mary("google").await;
    let code = Browser::at_google(&sandbox).with("scope", Some("openid")).code_for(MARY).await;
    let (_, tokens) = exchange(&sandbox, &form(&code)).await;
    let claims = checked(&sandbox, &tokens).await.unwrap();
    assert_eq!((&claims["email"], &claims["name"]), (&Value::Null, &Value::Null));
    assert!(claims["sub"].is_string());
}

#[tokio::test]
async fn accepts_client_secret_basic() {
    let sandbox = with_mary("google").await;
    let url = sandbox.url("/oidc/google/token");
    for (secret, expected) in
        [("wrong", StatusCode::UNAUTHORIZED), ("playon-google-secret", StatusCode::OK)]
    {
        let code = Browser::at_google(&sandbox).code_for(MARY).await;
        let request = sandbox.http.post(&url).basic_auth("playon-google", Some(secret));
        let reply = request.form(&form(&code)[..4]).send().await.unwrap();
        assert_eq!(reply.status(), expected);
        assert_eq!(reply.headers().contains_key("www-authenticate"), secret == "wrong");
    }
    let twice = sandbox.http.post(&url).basic_auth("playon-google", Some("playon-google-secret"));
    let reply = twice.form(&form("x")).send().await.unwrap();
    assert_eq!(reply.json::<Value>().await.unwrap()["error"], "invalid_request");
}

#[tokio::test]
async fn refuses_invalid_exchanges_as_rfc_6749_says() {
    let sandbox = with_mary("google").await;
    for (name, value, error) in [
        ("client_id", Some("unknown"), "invalid_client"),
        ("client_secret", Some("wrong"), "invalid_client"),
        ("client_secret", None, "invalid_client"),
        ("grant_type", Some("password"), "unsupported_grant_type"),
        ("grant_type", None, "invalid_request"),
        ("code", Some("4/0Ax"), "invalid_grant"),
        ("code", None, "invalid_request"),
        ("redirect_uri", Some("http://127.0.0.1:8080/other"), "invalid_grant"),
        ("redirect_uri", None, "invalid_request"),
        ("code_verifier", Some("another-verifier"), "invalid_grant"),
        ("code_verifier", None, "invalid_grant"),
    ] {
        let code = Browser::at_google(&sandbox).code_for(MARY).await;
        let mut bad = form(&code);
        bad.retain(|(known, _)| *known != name);
        bad.extend(value.map(|value| (name, value)));
        let (status, reply) = exchange(&sandbox, &bad).await;
        assert_eq!(reply["error"], error, "{name}: {value:?}");
        let unauthorized = error == "invalid_client";
        let expected =
            if unauthorized { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
        assert_eq!(status, expected, "{name}: {value:?}");
    }
}

#[tokio::test]
async fn refuses_a_verifier_without_a_challenge() {
    let sandbox = with_mary("google").await;
    let browser = Browser::at_google(&sandbox);
    let browser = browser.with("code_challenge", None).with("code_challenge_method", None);
    let code = browser.code_for(MARY).await;
    assert_eq!(exchange(&sandbox, &form(&code)).await.1["error"], "invalid_grant");
    let mut without = form(&code);
    without.retain(|(name, _)| *name != "code_verifier");
    assert_eq!(exchange(&sandbox, &without).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_code_used_twice_revokes_its_token() {
    let sandbox = with_mary("google").await;
    let code = Browser::at_google(&sandbox).code_for(MARY).await;
    let (_, tokens) = exchange(&sandbox, &form(&code)).await;
    let (status, reply) = exchange(&sandbox, &form(&code)).await;
    assert_eq!((status, &reply["error"]), (StatusCode::BAD_REQUEST, &json!("invalid_grant")));
    let access = tokens["access_token"].as_str().unwrap();
    let userinfo = sandbox.http.get(sandbox.url("/oidc/google/userinfo")).bearer_auth(access);
    assert_eq!(userinfo.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn tampers_with_one_id_token_as_ordered() {
    let sandbox = with_mary("google").await;
    for (tamper, expected) in [
        ("wrong_nonce", "nonce"),
        ("wrong_signature", "InvalidSignature"),
        ("wrong_audience", "InvalidAudience"),
        ("expired", "ExpiredSignature"),
        ("wrong_issuer", "InvalidIssuer"),
    ] {
        order(&sandbox, json!({ "tamper": tamper })).await;
        assert_eq!(checked(&sandbox, &tokens(&sandbox).await).await.unwrap_err(), expected);
        checked(&sandbox, &tokens(&sandbox).await).await.unwrap();
    }
}

#[tokio::test]
async fn an_order_answers_the_next_authorization_request() {
    let sandbox = Harness::start().await;
    let account = put_mary(&sandbox, "google").await;
    let browser = Browser::at_google(&sandbox);
    let next = json!({"provider": "google", "account": MARY});
    order(&sandbox, json!({"next": next, "tamper": "expired"})).await;
    let orders = sandbox.get("/social").await;
    assert_eq!(orders["next"]["account"], account["sub"]);
    let code = query_param(&redirect(&browser.open().await), "code").unwrap();
    let (_, tokens) = exchange(&sandbox, &form(&code)).await;
    assert_eq!(checked(&sandbox, &tokens).await.unwrap_err(), "ExpiredSignature");

    assert_eq!(sandbox.get("/social").await, json!({"next": null, "tamper": "none"}));
    assert_eq!(browser.open().await.status(), StatusCode::OK, "an order counts once");
    order(&sandbox, json!({"next": {"provider": "google", "deny": true}})).await;
    let facebook = Browser::at_facebook(&sandbox).open().await;
    assert_eq!(facebook.status(), StatusCode::OK, "an order is for one provider");
    let back = redirect(&browser.open().await);
    assert_eq!(query_param(&back, "error").as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn after_a_rotation_the_old_key_is_still_valid() {
    let sandbox = with_mary("google").await;
    let before = tokens(&sandbox).await;
    let kid = |tokens: &Value| decode_header(tokens["id_token"].as_str().unwrap()).unwrap().kid;
    sandbox.control(Method::POST, "/social/rotate", Value::Null).await;
    let after = tokens(&sandbox).await;
    assert_ne!(kid(&before), kid(&after));
    checked(&sandbox, &before).await.unwrap();
    checked(&sandbox, &after).await.unwrap();
    sandbox.control(Method::POST, "/social/rotate", Value::Null).await;
    let keys = get(&sandbox, "/jwks").await;
    let published: Vec<_> =
        keys["keys"].as_array().unwrap().iter().map(|key| &key["kid"]).collect();
    assert!(!published.contains(&&json!(kid(&before).unwrap())), "{published:?}");
    sandbox.control(Method::POST, "/reset", Value::Null).await;
    assert_eq!(get(&sandbox, "/jwks").await, keys, "clients may cache the keys");
}

#[tokio::test]
async fn applies_faults_to_the_calls_of_google() {
    let sandbox = with_mary("google").await;
    let fault = |call: &str, kind: &str| json!({"provider": "google", "kind": kind, "call": call});
    sandbox.fault(fault("jwks", "down")).await;
    sandbox.fault(fault("discovery", "http500")).await;
    sandbox.fault(fault("token", "http500")).await;
    let jwks = sandbox.http.get(sandbox.url("/oidc/google/jwks")).send().await;
    assert!(jwks.is_err());
    let discovery = sandbox.url("/oidc/google/.well-known/openid-configuration");
    let reply = sandbox.http.get(discovery).send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let code = Browser::at_google(&sandbox).code_for(MARY).await;
    let (status, _) = exchange(&sandbox, &form(&code)).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    // The call was carried out, so the code is used.
    assert_eq!(exchange(&sandbox, &form(&code)).await.1["error"], "invalid_grant");
    assert_eq!(sandbox.get("/faults").await, json!([]));
}
