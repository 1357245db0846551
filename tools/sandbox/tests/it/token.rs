//! The access token.

use reqwest::Method;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Harness, PHONE};

#[tokio::test]
async fn a_new_token_revokes_the_previous_one() {
    let mut sandbox = Harness::start().await;
    let second = sandbox.fresh_token().await;
    let (status, reply) = sandbox.push(&sandbox.request(PHONE, 1)).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(reply["errorCode"], "404.001.03");
    assert_eq!(reply["errorMessage"], "Invalid Access Token");
    assert!(reply["requestId"].is_string());

    sandbox.token = second;
    sandbox.pay(PHONE, 1).await;
}

#[tokio::test]
async fn expires_in_is_text_or_a_number() {
    let sandbox = Harness::start().await;
    assert_eq!(
        generate(&sandbox, "playon-dev-secret", "client_credentials").await.1["expires_in"],
        "3599"
    );
    sandbox.control(Method::PATCH, "/settings", json!({"expiresIn": "number"})).await;
    assert_eq!(
        generate(&sandbox, "playon-dev-secret", "client_credentials").await.1["expires_in"],
        3599
    );
}

#[tokio::test]
async fn refuses_wrong_credentials_and_grant_types() {
    let sandbox = Harness::start().await;
    let (status, reply) = generate(&sandbox, "guess", "client_credentials").await;
    assert_eq!((status, &reply["errorCode"]), (StatusCode::BAD_REQUEST, &json!("400.008.01")));
    let (status, reply) = generate(&sandbox, "playon-dev-secret", "password").await;
    assert_eq!((status, &reply["errorCode"]), (StatusCode::BAD_REQUEST, &json!("400.008.02")));

    let url = sandbox.url("/daraja/oauth/v1/generate?grant_type=client_credentials");
    let reply: Value =
        sandbox.http.get(url).bearer_auth("x").send().await.unwrap().json().await.unwrap();
    assert_eq!(reply["errorCode"], "400.008.01");
}

async fn generate(sandbox: &Harness, secret: &str, grant: &str) -> (StatusCode, Value) {
    let url = sandbox.url(&format!("/daraja/oauth/v1/generate?grant_type={grant}"));
    let reply = sandbox.http.get(url).basic_auth("playon-dev", Some(secret)).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}
