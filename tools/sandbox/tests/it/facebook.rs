//! Signing in with Facebook, as a client sees it.

use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::browser::{
    Browser, MARY, REDIRECT, VERIFIER, account, challenge, mary, sent_back, word,
};
use crate::support::Business;

type Fields<'f> = Vec<(&'f str, &'f str)>;

fn fields(code: &str) -> Fields<'_> {
    vec![
        ("client_id", "playon-facebook"),
        ("client_secret", "playon-facebook-secret"),
        ("redirect_uri", REDIRECT),
        ("code", code),
    ]
}

async fn exchange(business: &Business, fields: &Fields<'_>) -> (StatusCode, Value) {
    let url = business.url("/oidc/facebook/oauth/access_token");
    let reply = business.http.get(url).query(fields).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}

async fn me(business: &Business, query: &Fields<'_>) -> (StatusCode, Value) {
    let url = business.url("/oidc/facebook/me");
    let reply = business.http.get(url).query(query).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}

/// Signs this account in and gives its access token.
async fn token_of(business: &Business, account: &str) -> String {
    let code = Browser::at_facebook(business).code_of(account).await;
    let (status, reply) = exchange(business, &fields(&code)).await;
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
async fn a_client_learns_who_has_signed_in() {
    let business = Business::start().await;
    let account = mary(&business, "facebook").await;
    let browser = Browser::at_facebook(&business);
    let back = sent_back(&browser.submit(&[("account", MARY)]).await);
    assert_eq!(back.fragment(), Some("_=_"), "a habit of the real one");
    let code = word(&back, "code").unwrap();
    let url = business.url("/oidc/facebook/oauth/access_token");
    let reply = business.http.post(url).form(&fields(&code)).send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::OK, "by POST as well");
    let reply: Value = reply.json().await.unwrap();
    assert_eq!((&reply["token_type"], &reply["expires_in"]), (&json!("bearer"), &json!(5_183_944)));

    let token = reply["access_token"].as_str().unwrap();
    let proof = proof("playon-facebook-secret", token);
    let query =
        vec![("fields", "id,name,email"), ("access_token", token), ("appsecret_proof", &proof)];
    let (status, person) = me(&business, &query).await;
    assert_eq!(status, StatusCode::OK, "{person}");
    let expected = json!({"id": account["sub"], "name": "Mary Wanjiku", "email": MARY});
    assert_eq!(person, expected);
}

#[tokio::test]
async fn an_address_is_told_only_if_there_is_one_confirmed_and_granted() {
    let business = Business::start().await;
    let email = |person: Value| person.get("email").cloned();
    let nobody = json!({"name": "No Mail"});
    account(&business, "facebook", "10001", nobody).await;
    account(&business, "facebook", "10002", json!({"email": MARY, "emailVerified": false})).await;
    for sub in ["10001", "10002"] {
        let token = token_of(&business, sub).await;
        let (_, person) =
            me(&business, &vec![("fields", "name,email"), ("access_token", &token)]).await;
        assert_eq!((&person["id"], email(person.clone())), (&json!(sub), None));
    }
    account(&business, "facebook", "10002", json!({"emailVerified": true})).await;
    let browser = Browser::at_facebook(&business).with("scope", None);
    let code = browser.code_of("10002").await;
    let (_, reply) = exchange(&business, &fields(&code)).await;
    let token = reply["access_token"].as_str().unwrap();
    let (_, person) = me(&business, &vec![("fields", "email"), ("access_token", token)]).await;
    assert_eq!(email(person), None, "the scope was not asked for");
}

#[tokio::test]
async fn graph_says_no_in_its_own_way() {
    let business = Business::start().await;
    mary(&business, "facebook").await;
    for (name, value, code) in [
        ("client_id", Some("nobody"), 101),
        ("client_id", None, 101),
        ("client_secret", Some("wrong"), 1),
        ("redirect_uri", Some("http://127.0.0.1:8080/other"), 100),
        ("redirect_uri", None, 191),
        ("code", Some("AQx"), 100),
        ("code_verifier", Some(VERIFIER), 100),
    ] {
        let given = Browser::at_facebook(&business).code_of(MARY).await;
        let mut bad = fields(&given);
        bad.retain(|(known, _)| *known != name);
        bad.extend(value.map(|value| (name, value)));
        let (status, reply) = exchange(&business, &bad).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{name}");
        assert_eq!(reply["error"]["code"], code, "{name}: {reply}");
        assert_eq!(reply["error"]["type"], "OAuthException");
        assert!(reply["error"]["message"].is_string());
    }
    let token = token_of(&business, MARY).await;
    let wrong = proof("wrong", &token);
    for (query, code) in [
        (vec![("fields", "id")], 2500),
        (vec![("access_token", "EAAx")], 190),
        (vec![("access_token", token.as_str()), ("fields", "id,shoe_size")], 100),
        (vec![("access_token", token.as_str()), ("appsecret_proof", &wrong)], 100),
    ] {
        let (status, reply) = me(&business, &query).await;
        assert_eq!((status, &reply["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(code)));
    }
}

#[tokio::test]
async fn a_code_is_good_once() {
    let business = Business::start().await;
    mary(&business, "facebook").await;
    let code = Browser::at_facebook(&business).code_of(MARY).await;
    let (_, first) = exchange(&business, &fields(&code)).await;
    let (status, second) = exchange(&business, &fields(&code)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(second["error"]["message"], "This authorization code has been used.");
    let token = first["access_token"].as_str().unwrap();
    assert_eq!(me(&business, &vec![("access_token", token)]).await.1["error"]["code"], 190);
}

#[tokio::test]
async fn pkce_is_held_to_where_it_was_begun() {
    let business = Business::start().await;
    mary(&business, "facebook").await;
    let browser = Browser::at_facebook(&business)
        .with("code_challenge", Some(&challenge()))
        .with("code_challenge_method", Some("S256"));
    let code = browser.code_of(MARY).await;
    assert_eq!(exchange(&business, &fields(&code)).await.0, StatusCode::BAD_REQUEST);
    let mut with = fields(&code);
    with.push(("code_verifier", VERIFIER));
    assert_eq!(exchange(&business, &with).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_person_may_decline() {
    let business = Business::start().await;
    let back = sent_back(&Browser::at_facebook(&business).submit(&[("deny", "yes")]).await);
    assert_eq!(word(&back, "error").as_deref(), Some("access_denied"));
    assert_eq!(word(&back, "error_reason").as_deref(), Some("user_denied"));
}

#[tokio::test]
async fn one_network_knows_nothing_of_the_other() {
    let business = Business::start().await;
    mary(&business, "google").await;
    let reply = Browser::at_facebook(&business).submit(&[("account", MARY)]).await;
    assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
    mary(&business, "facebook").await;
    let code = Browser::at_google(&business).code_of(MARY).await;
    assert_eq!(exchange(&business, &fields(&code)).await.1["error"]["code"], 100);
}

#[tokio::test]
async fn ordered_faults_strike_the_calls_of_facebook() {
    let business = Business::start().await;
    mary(&business, "facebook").await;
    let token = token_of(&business, MARY).await;
    for kind in ["http500", "down"] {
        let fault = json!({"provider": "facebook", "kind": kind, "call": "me"});
        business.control(Method::PUT, "/faults", fault).await;
    }
    let (status, reply) = me(&business, &vec![("access_token", &token)]).await;
    assert_eq!((status, &reply["error"]["code"]), (StatusCode::INTERNAL_SERVER_ERROR, &json!(2)));
    let url = business.url("/oidc/facebook/me");
    assert!(business.http.get(url).query(&[("access_token", &token)]).send().await.is_err());
}
