//! The access token.

use reqwest::Method;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Business, PHONE};

#[tokio::test]
async fn a_new_token_cancels_the_one_before() {
    let mut business = Business::start().await;
    let second = business.fresh_token().await;
    let (status, reply) = business.push(&business.request(PHONE, 1)).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(reply["errorCode"], "404.001.03");
    assert_eq!(reply["errorMessage"], "Invalid Access Token");
    assert!(reply["requestId"].is_string());

    business.token = second;
    business.pay(PHONE, 1).await;
}

#[tokio::test]
async fn the_life_of_a_token_is_text_or_a_number() {
    let business = Business::start().await;
    assert_eq!(
        generate(&business, "playon-dev-secret", "client_credentials").await.1["expires_in"],
        "3599"
    );
    business.control(Method::PATCH, "/settings", json!({"expiresIn": "number"})).await;
    assert_eq!(
        generate(&business, "playon-dev-secret", "client_credentials").await.1["expires_in"],
        3599
    );
}

#[tokio::test]
async fn wrong_credentials_and_wrong_grants_are_told_apart() {
    let business = Business::start().await;
    let (status, reply) = generate(&business, "guess", "client_credentials").await;
    assert_eq!((status, &reply["errorCode"]), (StatusCode::BAD_REQUEST, &json!("400.008.01")));
    let (status, reply) = generate(&business, "playon-dev-secret", "password").await;
    assert_eq!((status, &reply["errorCode"]), (StatusCode::BAD_REQUEST, &json!("400.008.02")));

    let url = business.url("/daraja/oauth/v1/generate?grant_type=client_credentials");
    let reply: Value =
        business.http.get(url).bearer_auth("x").send().await.unwrap().json().await.unwrap();
    assert_eq!(reply["errorCode"], "400.008.01");
}

async fn generate(business: &Business, secret: &str, grant: &str) -> (StatusCode, Value) {
    let url = business.url(&format!("/daraja/oauth/v1/generate?grant_type={grant}"));
    let reply = business.http.get(url).basic_auth("playon-dev", Some(secret)).send().await.unwrap();
    (reply.status(), reply.json().await.unwrap())
}
