//! Sign-in with Facebook.

use hmac::{Hmac, KeyInit, Mac};
use reqwest::StatusCode;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::browser::{
    Browser, MARY, REDIRECT, VERIFIER, challenge, put_account, put_mary, query_param, redirect,
    with_mary,
};
use crate::support::Harness;

type Fields<'f> = Vec<(&'f str, &'f str)>;

fn fields(code: &str) -> Fields<'_> {
    vec![
        ("client_id", "playon-facebook"),
        ("client_secret", "playon-facebook-secret"),
        ("redirect_uri", REDIRECT),
        ("code", code),
    ]
}

async fn exchange(sandbox: &Harness, fields: &Fields<'_>) -> (StatusCode, Value) {
    let url = sandbox.url("/oidc/facebook/oauth/access_token");
    let reply = sandbox.http.get(url).query(fields).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}

async fn me(sandbox: &Harness, query: &Fields<'_>) -> (StatusCode, Value) {
    let url = sandbox.url("/oidc/facebook/me");
    let reply = sandbox.http.get(url).query(query).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}

/// Signs this account in and returns its access token.
async fn token_of(sandbox: &Harness, account: &str) -> String {
    let code = Browser::at_facebook(sandbox).code_for(account).await;
    let (status, reply) = exchange(sandbox, &fields(&code)).await;
    assert_eq!(status, StatusCode::OK, "{reply}");
    reply["access_token"].as_str().unwrap().to_owned()
}

fn proof(secret: &str, token: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(token.as_bytes());
    let half = |bytes: &[u8]| u128::from_be_bytes(bytes.try_into().unwrap());
    let bytes = mac.finalize().into_bytes();
    format!("{:032x}{:032x}", half(&bytes[..16]), half(&bytes[16..]))
}

#[tokio::test]
async fn returns_the_profile_of_the_signed_in_account() {
    let sandbox = Harness::start().await;
    let account = put_mary(&sandbox, "facebook").await;
    let browser = Browser::at_facebook(&sandbox);
    let back = redirect(&browser.submit(&[("account", MARY)]).await);
    assert_eq!(back.fragment(), Some("_=_"), "as Facebook does");
    let code = query_param(&back, "code").unwrap();
    let url = sandbox.url("/oidc/facebook/oauth/access_token");
    let reply = sandbox.http.post(url).form(&fields(&code)).send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::OK, "POST is accepted too");
    let reply: Value = reply.json().await.unwrap();
    assert_eq!((&reply["token_type"], &reply["expires_in"]), (&json!("bearer"), &json!(5_183_944)));

    let token = reply["access_token"].as_str().unwrap();
    let proof = proof("playon-facebook-secret", token);
    let query =
        vec![("fields", "id,name,email"), ("access_token", token), ("appsecret_proof", &proof)];
    let (status, person) = me(&sandbox, &query).await;
    assert_eq!(status, StatusCode::OK, "{person}");
    let expected = json!({"id": account["sub"], "name": "Mary Wanjiku", "email": MARY});
    assert_eq!(person, expected);
}

#[tokio::test]
async fn returns_an_address_only_if_verified_and_in_scope() {
    let sandbox = Harness::start().await;
    let email = |person: Value| person.get("email").cloned();
    put_account(&sandbox, "facebook", "10001", json!({"name": "No Mail"})).await;
    put_account(&sandbox, "facebook", "10002", json!({"email": MARY, "emailVerified": false}))
        .await;
    for sub in ["10001", "10002"] {
        let token = token_of(&sandbox, sub).await;
        let (_, person) =
            me(&sandbox, &vec![("fields", "name,email"), ("access_token", &token)]).await;
        assert_eq!((&person["id"], email(person.clone())), (&json!(sub), None));
    }
    put_account(&sandbox, "facebook", "10002", json!({"emailVerified": true})).await;
    let browser = Browser::at_facebook(&sandbox).with("scope", None);
    let code = browser.code_for("10002").await;
    let (_, reply) = exchange(&sandbox, &fields(&code)).await;
    let token = reply["access_token"].as_str().unwrap();
    let (_, person) = me(&sandbox, &vec![("fields", "email"), ("access_token", token)]).await;
    assert_eq!(email(person), None, "the scope was not asked for");
}

#[tokio::test]
async fn refuses_invalid_calls_with_graph_errors() {
    let sandbox = with_mary("facebook").await;
    for (name, value, code) in [
        ("client_id", Some("unknown"), 101),
        ("client_id", None, 101),
        ("client_secret", Some("wrong"), 1),
        ("redirect_uri", Some("http://127.0.0.1:8080/other"), 100),
        ("redirect_uri", None, 191),
        ("code", Some("AQx"), 100),
        ("code_verifier", Some(VERIFIER), 100),
    ] {
        let given = Browser::at_facebook(&sandbox).code_for(MARY).await;
        let mut bad = fields(&given);
        bad.retain(|(known, _)| *known != name);
        bad.extend(value.map(|value| (name, value)));
        let (status, reply) = exchange(&sandbox, &bad).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{name}");
        assert_eq!(reply["error"]["code"], code, "{name}: {reply}");
        assert_eq!(reply["error"]["type"], "OAuthException");
        assert!(reply["error"]["message"].is_string());
    }
    let token = token_of(&sandbox, MARY).await;
    let wrong = proof("wrong", &token);
    for (query, code) in [
        (vec![("fields", "id")], 2500),
        (vec![("access_token", "EAAx")], 190),
        (vec![("access_token", token.as_str()), ("fields", "id,shoe_size")], 100),
        (vec![("access_token", token.as_str()), ("appsecret_proof", &wrong)], 100),
    ] {
        let (status, reply) = me(&sandbox, &query).await;
        assert_eq!((status, &reply["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(code)));
    }
}

#[tokio::test]
async fn a_code_can_be_exchanged_once() {
    let sandbox = with_mary("facebook").await;
    let code = Browser::at_facebook(&sandbox).code_for(MARY).await;
    let (_, first) = exchange(&sandbox, &fields(&code)).await;
    let (status, second) = exchange(&sandbox, &fields(&code)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(second["error"]["message"], "This authorization code has been used.");
    let token = first["access_token"].as_str().unwrap();
    assert_eq!(me(&sandbox, &vec![("access_token", token)]).await.1["error"]["code"], 190);
}

#[tokio::test]
async fn requires_the_verifier_of_a_challenge() {
    let sandbox = with_mary("facebook").await;
    let browser = Browser::at_facebook(&sandbox)
        .with("code_challenge", Some(&challenge()))
        .with("code_challenge_method", Some("S256"));
    let code = browser.code_for(MARY).await;
    assert_eq!(exchange(&sandbox, &fields(&code)).await.0, StatusCode::BAD_REQUEST);
    let mut with = fields(&code);
    with.push(("code_verifier", VERIFIER));
    assert_eq!(exchange(&sandbox, &with).await.0, StatusCode::OK);
}

#[tokio::test]
async fn redirects_with_access_denied_when_a_person_declines() {
    let sandbox = Harness::start().await;
    let back = redirect(&Browser::at_facebook(&sandbox).submit(&[("deny", "yes")]).await);
    assert_eq!(query_param(&back, "error").as_deref(), Some("access_denied"));
    assert_eq!(query_param(&back, "error_reason").as_deref(), Some("user_denied"));
}

#[tokio::test]
async fn accounts_and_codes_belong_to_one_provider() {
    let sandbox = with_mary("google").await;
    let reply = Browser::at_facebook(&sandbox).submit(&[("account", MARY)]).await;
    assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
    put_mary(&sandbox, "facebook").await;
    let code = Browser::at_google(&sandbox).code_for(MARY).await;
    assert_eq!(exchange(&sandbox, &fields(&code)).await.1["error"]["code"], 100);
}

#[tokio::test]
async fn applies_faults_to_the_calls_of_facebook() {
    let sandbox = with_mary("facebook").await;
    let token = token_of(&sandbox, MARY).await;
    for kind in ["http500", "down"] {
        let fault = json!({"provider": "facebook", "kind": kind, "call": "me"});
        sandbox.fault(fault).await;
    }
    let (status, reply) = me(&sandbox, &vec![("access_token", &token)]).await;
    assert_eq!((status, &reply["error"]["code"]), (StatusCode::INTERNAL_SERVER_ERROR, &json!(2)));
    let url = sandbox.url("/oidc/facebook/me");
    assert!(sandbox.http.get(url).query(&[("access_token", &token)]).send().await.is_err());
}
