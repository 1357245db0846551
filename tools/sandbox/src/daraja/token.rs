//! The access token: one is valid at a time, and a new one revokes it.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ids;
use super::refusal::Refusal;
use crate::auth_header::credential;
use crate::clock;
use crate::config::{ExpiresIn, Merchant};
use crate::world::state::{Fact, Token};
use crate::world::{Shared, World};

const LIFETIME: Duration = Duration::from_secs(3_599);

#[derive(Deserialize)]
pub(super) struct Grant {
    grant_type: Option<String>,
}

/// `GET oauth/v1/generate`
pub(super) async fn generate(
    State(world): State<Shared>,
    headers: HeaderMap,
    grant: Result<Query<Grant>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    if !has_credentials(&headers, &world.merchant) {
        return Err(Refusal::BadCredentials);
    }
    let grant_type = grant.ok().and_then(|Query(grant)| grant.grant_type);
    if grant_type.as_deref() != Some("client_credentials") {
        return Err(Refusal::BadGrantType);
    }
    let value = ids::access_token();
    let token = Token { value: value.clone(), expires_at: clock::now() + LIFETIME };
    world.record([Fact::Token(token)]);
    let expires_in = match world.read(|state| state.settings.expires_in) {
        ExpiresIn::String => json!(LIFETIME.as_secs().to_string()),
        ExpiresIn::Number => json!(LIFETIME.as_secs()),
    };
    Ok(Json(json!({ "access_token": value, "expires_in": expires_in })))
}

/// Refuses a caller without the valid token.
pub(super) fn check(world: &World, headers: &HeaderMap) -> Result<(), Refusal> {
    let given = credential(headers, "Bearer");
    let now = clock::now();
    world.read(|state| {
        let valid = state.token.as_ref().filter(|token| token.expires_at > now);
        match (given, valid) {
            (Some(given), Some(valid)) if given == valid.value => Ok(()),
            _ => Err(Refusal::BadToken),
        }
    })
}

fn has_credentials(headers: &HeaderMap, merchant: &Merchant) -> bool {
    let expected = format!("{}:{}", merchant.consumer_key, merchant.consumer_secret);
    credential(headers, "Basic")
        .and_then(|encoded| BASE64_STANDARD.decode(encoded).ok())
        .is_some_and(|given| given == expected.as_bytes())
}
