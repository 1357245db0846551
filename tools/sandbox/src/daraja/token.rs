//! The access token: one at a time; a new one cancels the one before.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ids;
use super::refusal::Refusal;
use crate::clock;
use crate::config::{ExpiresIn, Merchant};
use crate::world::state::{Fact, Token};
use crate::world::{Shared, World};

const LIFE: Duration = Duration::from_secs(3_599);

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
        return Err(Refusal::bad_authentication());
    }
    let grant_type = grant.ok().and_then(|Query(grant)| grant.grant_type);
    if grant_type.as_deref() != Some("client_credentials") {
        return Err(Refusal::bad_grant_type());
    }
    let value = ids::access_token();
    let token = Token { value: value.clone(), expires_at: clock::now() + LIFE };
    let form = world.update(|state| (vec![Fact::Token(token)], state.settings.expires_in)).await;
    let expires_in = match form {
        ExpiresIn::String => json!(LIFE.as_secs().to_string()),
        ExpiresIn::Number => json!(LIFE.as_secs()),
    };
    Ok(Json(json!({ "access_token": value, "expires_in": expires_in })))
}

/// Whether the caller holds the token that is good now.
pub(super) fn check(world: &World, headers: &HeaderMap) -> Result<(), Refusal> {
    let held = credential(headers, "Bearer");
    let now = clock::now();
    world.read(|state| {
        let good = state.token.as_ref().filter(|token| token.expires_at > now);
        match (held, good) {
            (Some(held), Some(good)) if held == good.value => Ok(()),
            _ => Err(Refusal::bad_token()),
        }
    })
}

fn has_credentials(headers: &HeaderMap, merchant: &Merchant) -> bool {
    let expected = format!("{}:{}", merchant.consumer_key, merchant.consumer_secret);
    credential(headers, "Basic")
        .and_then(|encoded| BASE64_STANDARD.decode(encoded).ok())
        .is_some_and(|given| given == expected.as_bytes())
}

fn credential<'h>(headers: &'h HeaderMap, scheme: &str) -> Option<&'h str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (given, credential) = value.split_once(' ')?;
    given.eq_ignore_ascii_case(scheme).then(|| credential.trim())
}
