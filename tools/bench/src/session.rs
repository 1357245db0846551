//! Sign-in by email and password, and the tokens that it gives.

use std::sync::Arc;

use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use anyhow::{Context as _, Result};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderValue, Method};
use serde::Deserialize;
use serde_json::json;

use crate::{
    address::Target,
    client::{self, Connection, HttpRequest},
};

/// The password of every player of the bench.
pub(crate) const PASSWORD: &str = "a long enough password";

/// The reply to a sign-up or sign-in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    pub(crate) uid: String,
    access_token: String,
    pub(crate) refresh_token: String,
}

impl Session {
    /// The `Authorization` header of this session.
    pub(crate) fn bearer(&self) -> Result<HeaderValue> {
        let mut bearer = HeaderValue::try_from(format!("Bearer {}", self.access_token))?;
        bearer.set_sensitive(true);
        Ok(bearer)
    }
}

/// The request that signs a player in.
pub(crate) fn sign_in(email: &str) -> Result<HttpRequest> {
    let form = json!({"email": email, "password": PASSWORD});
    client::json(Method::POST, "/api/auth/sign-in", &form)
}

/// Signs up a new player on a connection of its own.
pub(crate) async fn sign_up(target: Target, email: &str) -> Result<Session> {
    let mut connection = Connection::new(target);
    let challenge: Challenge = connection.call_api(client::get("/api/auth/captcha")?).await?;
    let captcha = solve_captcha(challenge).await?;
    let form = json!({"email": email, "password": PASSWORD, "captcha": captcha});
    connection.call_api(client::json(Method::POST, "/api/auth/sign-up", &form)?).await
}

/// Computes the proof of work, as the captcha widget does in a browser.
async fn solve_captcha(challenge: Challenge) -> Result<String> {
    let challenge = Arc::new(challenge);
    let to_solve = Arc::clone(&challenge);
    let solution =
        tokio::task::spawn_blocking(move || solve_challenge(SolveChallengeOptions::new(&to_solve)));
    let solution = solution.await??.context("the captcha was not solved in time")?;
    let challenge = Arc::unwrap_or_clone(challenge);
    Ok(STANDARD.encode(serde_json::to_vec(&Payload { challenge, solution })?))
}
