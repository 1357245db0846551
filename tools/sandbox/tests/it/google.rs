//! Signing in with Google, as a client library sees it.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::browser::{Browser, MARY, REDIRECT, VERIFIER, mary, order, sent_back, word};
use crate::support::Business;

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

async fn exchange(business: &Business, form: &[(&str, &str)]) -> (StatusCode, Value) {
    let url = business.url("/oidc/google/token");
    let reply = business.http.post(url).form(form).send().await.unwrap();
    assert_eq!(reply.headers()["cache-control"], "no-store");
    (reply.status(), reply.json().await.unwrap())
}

/// Signs Mary in and gives the token reply.
async fn tokens(business: &Business) -> Value {
    let code = Browser::at_google(business).code_of(MARY).await;
    let (status, tokens) = exchange(business, &form(&code)).await;
    assert_eq!(status, StatusCode::OK, "{tokens}");
    tokens
}

async fn get(business: &Business, path: &str) -> Value {
    let url = business.url(&format!("/oidc/google{path}"));
    business.http.get(url).send().await.unwrap().json().await.unwrap()
}

/// What a careful client makes of an ID token.
async fn checked(business: &Business, tokens: &Value) -> Result<Value, String> {
    let token = tokens["id_token"].as_str().unwrap();
    let keys: JwkSet = serde_json::from_value(get(business, "/jwks").await).unwrap();
    let kid = decode_header(token).unwrap().kid.unwrap();
    let key = DecodingKey::from_jwk(keys.find(&kid).expect("the key is shown")).unwrap();
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_audience(&["playon-google"]);
    validation.set_issuer(&[business.url("/oidc/google")]);
    let claims = decode::<Value>(token, &key, &validation).map_err(|error| error.to_string())?;
    let claims = claims.claims;
    if claims["nonce"] == "the-nonce" { Ok(claims) } else { Err("nonce".to_owned()) }
}

#[tokio::test]
async fn google_describes_itself() {
    let business = Business::start().await;
    let description = get(&business, "/.well-known/openid-configuration").await;
    let issuer = business.url("/oidc/google");
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
async fn a_client_learns_who_has_signed_in() {
    let business = Business::start().await;
    let account = mary(&business, "google").await;
    let browser = Browser::at_google(&business);
    let back = sent_back(&browser.submit(&[("account", MARY)]).await);
    assert_eq!(word(&back, "iss"), Some(business.url("/oidc/google")));
    let code = word(&back, "code").unwrap();
    assert!(code.starts_with("4/0A"), "{code}");

    let (status, tokens) = exchange(&business, &form(&code)).await;
    assert_eq!(status, StatusCode::OK, "{tokens}");
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(3599)));
    let claims = checked(&business, &tokens).await.unwrap();
    assert_eq!(claims["sub"], account["sub"]);
    assert_eq!(claims["email"], MARY);
    assert_eq!(claims["email_verified"], true);
    assert_eq!(claims["name"], "Mary Wanjiku");
    assert_eq!(claims["given_name"], "Mary");
    assert_eq!(claims["azp"], "playon-google");

    let url = business.url("/oidc/google/userinfo");
    let access = tokens["access_token"].as_str().unwrap();
    let reply = business.http.get(&url).bearer_auth(access).send().await.unwrap();
    let person: Value = reply.json().await.unwrap();
    assert_eq!((&person["sub"], &person["email"]), (&account["sub"], &json!(MARY)));
    let stranger = business.http.get(&url).bearer_auth("ya29.x").send().await.unwrap();
    assert_eq!(stranger.status(), StatusCode::UNAUTHORIZED);
    assert!(stranger.headers().contains_key("www-authenticate"));
}

#[tokio::test]
async fn scopes_bound_what_a_client_learns() {
    let business = Business::start().await;
    mary(&business, "google").await;
    let code = Browser::at_google(&business).with("scope", Some("openid")).code_of(MARY).await;
    let (_, tokens) = exchange(&business, &form(&code)).await;
    let claims = checked(&business, &tokens).await.unwrap();
    assert_eq!((&claims["email"], &claims["name"]), (&Value::Null, &Value::Null));
    assert!(claims["sub"].is_string());
}

#[tokio::test]
async fn a_client_may_authenticate_by_basic_instead() {
    let business = Business::start().await;
    mary(&business, "google").await;
    let url = business.url("/oidc/google/token");
    for (secret, expected) in
        [("wrong", StatusCode::UNAUTHORIZED), ("playon-google-secret", StatusCode::OK)]
    {
        let code = Browser::at_google(&business).code_of(MARY).await;
        let request = business.http.post(&url).basic_auth("playon-google", Some(secret));
        let reply = request.form(&form(&code)[..4]).send().await.unwrap();
        assert_eq!(reply.status(), expected);
        assert_eq!(reply.headers().contains_key("www-authenticate"), secret == "wrong");
    }
    let twice = business.http.post(&url).basic_auth("playon-google", Some("playon-google-secret"));
    let reply = twice.form(&form("x")).send().await.unwrap();
    assert_eq!(reply.json::<Value>().await.unwrap()["error"], "invalid_request");
}

#[tokio::test]
async fn a_bad_exchange_is_refused_as_rfc_6749_says() {
    let business = Business::start().await;
    mary(&business, "google").await;
    for (name, value, error) in [
        ("client_id", Some("nobody"), "invalid_client"),
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
        let code = Browser::at_google(&business).code_of(MARY).await;
        let mut bad = form(&code);
        bad.retain(|(known, _)| *known != name);
        bad.extend(value.map(|value| (name, value)));
        let (status, reply) = exchange(&business, &bad).await;
        assert_eq!(reply["error"], error, "{name}: {value:?}");
        let stranger = error == "invalid_client";
        let expected = if stranger { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
        assert_eq!(status, expected, "{name}: {value:?}");
    }
}

#[tokio::test]
async fn a_verifier_without_a_challenge_is_refused() {
    let business = Business::start().await;
    mary(&business, "google").await;
    let browser = Browser::at_google(&business);
    let browser = browser.with("code_challenge", None).with("code_challenge_method", None);
    let code = browser.code_of(MARY).await;
    assert_eq!(exchange(&business, &form(&code)).await.1["error"], "invalid_grant");
    let mut without = form(&code);
    without.retain(|(name, _)| *name != "code_verifier");
    assert_eq!(exchange(&business, &without).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_code_that_comes_twice_takes_its_token_along() {
    let business = Business::start().await;
    mary(&business, "google").await;
    let code = Browser::at_google(&business).code_of(MARY).await;
    let (_, tokens) = exchange(&business, &form(&code)).await;
    let (status, reply) = exchange(&business, &form(&code)).await;
    assert_eq!((status, &reply["error"]), (StatusCode::BAD_REQUEST, &json!("invalid_grant")));
    let access = tokens["access_token"].as_str().unwrap();
    let userinfo = business.http.get(business.url("/oidc/google/userinfo")).bearer_auth(access);
    assert_eq!(userinfo.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_id_token_is_spoilt_as_ordered_and_once() {
    let business = Business::start().await;
    mary(&business, "google").await;
    for (tamper, complaint) in [
        ("wrong_nonce", "nonce"),
        ("wrong_signature", "InvalidSignature"),
        ("wrong_audience", "InvalidAudience"),
        ("expired", "ExpiredSignature"),
        ("wrong_issuer", "InvalidIssuer"),
    ] {
        order(&business, json!({ "tamper": tamper })).await;
        assert_eq!(checked(&business, &tokens(&business).await).await.unwrap_err(), complaint);
        checked(&business, &tokens(&business).await).await.unwrap();
    }
}

#[tokio::test]
async fn a_test_may_decide_for_the_person() {
    let business = Business::start().await;
    let account = mary(&business, "google").await;
    let browser = Browser::at_google(&business);
    let next = json!({"provider": "google", "account": MARY});
    order(&business, json!({"next": next, "tamper": "expired"})).await;
    let orders = business.look("/social").await;
    assert_eq!(orders["next"]["account"], account["sub"]);
    let code = word(&sent_back(&browser.open().await), "code").unwrap();
    let (_, tokens) = exchange(&business, &form(&code)).await;
    assert_eq!(checked(&business, &tokens).await.unwrap_err(), "ExpiredSignature");

    assert_eq!(business.look("/social").await, json!({"next": null, "tamper": "none"}));
    assert_eq!(browser.open().await.status(), StatusCode::OK, "it counts once");
    order(&business, json!({"next": {"provider": "google", "deny": true}})).await;
    let facebook = Browser::at_facebook(&business).open().await;
    assert_eq!(facebook.status(), StatusCode::OK, "it is for one provider");
    let back = sent_back(&browser.open().await);
    assert_eq!(word(&back, "error").as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn a_rotated_key_has_a_new_name_and_the_old_one_is_still_good() {
    let business = Business::start().await;
    mary(&business, "google").await;
    let before = tokens(&business).await;
    let kid = |tokens: &Value| decode_header(tokens["id_token"].as_str().unwrap()).unwrap().kid;
    business.control(Method::POST, "/social/rotate", Value::Null).await;
    let after = tokens(&business).await;
    assert_ne!(kid(&before), kid(&after));
    checked(&business, &before).await.unwrap();
    checked(&business, &after).await.unwrap();
    business.control(Method::POST, "/social/rotate", Value::Null).await;
    let keys = get(&business, "/jwks").await;
    let shown: Vec<_> = keys["keys"].as_array().unwrap().iter().map(|key| &key["kid"]).collect();
    assert!(!shown.contains(&&json!(kid(&before).unwrap())), "{shown:?}");
    business.control(Method::POST, "/reset", Value::Null).await;
    assert_eq!(get(&business, "/jwks").await, keys, "a client may hold it");
}

#[tokio::test]
async fn ordered_faults_strike_the_calls_of_google() {
    let business = Business::start().await;
    mary(&business, "google").await;
    let fault = |call: &str, kind: &str| json!({"provider": "google", "kind": kind, "call": call});
    business.control(Method::PUT, "/faults", fault("jwks", "down")).await;
    business.control(Method::PUT, "/faults", fault("discovery", "http500")).await;
    business.control(Method::PUT, "/faults", fault("token", "http500")).await;
    let jwks = business.http.get(business.url("/oidc/google/jwks")).send().await;
    assert!(jwks.is_err());
    let discovery = business.url("/oidc/google/.well-known/openid-configuration");
    let reply = business.http.get(discovery).send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let code = Browser::at_google(&business).code_of(MARY).await;
    let (status, _) = exchange(&business, &form(&code)).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    // The call was carried out, so the code is spent.
    assert_eq!(exchange(&business, &form(&code)).await.1["error"], "invalid_grant");
    assert_eq!(business.look("/faults").await, json!([]));
}
