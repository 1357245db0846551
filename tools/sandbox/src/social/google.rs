//! Google: `OpenID` Connect.

use axum::Form;
use axum::Json;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Request, State as Held};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;

use super::exchange::{self, Claim, Spoilt};
use super::id_token::{self, Signing};
use super::{authorize, secret};
use crate::clock;
use crate::config::SocialApps;
use crate::trouble;
use crate::world::account::Network;
use crate::world::fault::{Call, Provider};
use crate::world::social::Grant;
use crate::world::{Shared, World};

/// How long an access token is good.
const TOKEN_LIFE: Duration = Duration::seconds(3_599);

pub(super) fn routes(world: Shared) -> Router<Shared> {
    Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/jwks", get(jwks))
        .route("/token", post(token))
        .route("/userinfo", get(userinfo).post(userinfo))
        .layer(from_fn_with_state(world, suffer))
        // Faults are for programs; people see their page.
        .route(
            "/authorize",
            get(async |Held(world), asked, query| {
                authorize::show(world, Network::Google, asked, query).await
            })
            .post(async |Held(world), asked, query, choice| {
                authorize::decide(world, Network::Google, asked, query, choice).await
            }),
        )
}

async fn suffer(Held(world): Held<Shared>, request: Request, next: Next) -> Response {
    let call = match request.uri().path() {
        "/.well-known/openid-configuration" => Call::Discovery,
        "/jwks" => Call::Jwks,
        "/userinfo" => Call::Userinfo,
        _ => Call::Token,
    };
    let Some(fault) = trouble::strike(&world, Provider::Google, call).await else {
        return next.run(request).await;
    };
    let refusal = Refusal::broken().into_response();
    trouble::suffer(&world, &fault, refusal, request, next).await
}

/// An error of RFC 6749, 5.2.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    error: &'static str,
    why: &'static str,
}

impl Refusal {
    fn new(error: &'static str, why: &'static str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error, why }
    }

    fn stranger() -> Self {
        let why = "The OAuth client was not found, or its secret is wrong.";
        Self { status: StatusCode::UNAUTHORIZED, error: "invalid_client", why }
    }

    fn bad_token() -> Self {
        let why = "Invalid Credentials";
        Self { status: StatusCode::UNAUTHORIZED, error: "invalid_token", why }
    }

    fn broken() -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self { status, error: "internal_failure", why: "Backend Error" }
    }
}

impl From<Spoilt> for Refusal {
    fn from(spoilt: Spoilt) -> Self {
        let why = match spoilt {
            Spoilt::Unknown => "Malformed auth code.",
            Spoilt::Used => "The code was used before.",
            Spoilt::Expired => "The code has expired.",
            Spoilt::WrongRedirect => "redirect_uri is not the one of the authorization request.",
            Spoilt::WrongVerifier => "code_verifier does not fit code_challenge.",
        };
        Self::new("invalid_grant", why)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.error, "error_description": self.why }));
        let mut reply = (self.status, [(header::CACHE_CONTROL, "no-store")], body).into_response();
        let challenge = match self.error {
            "invalid_client" => Some("Basic realm=\"sandbox\""),
            "invalid_token" => Some("Bearer error=\"invalid_token\""),
            _ => None,
        };
        if let Some(challenge) = challenge {
            let value = HeaderValue::from_static(challenge);
            reply.headers_mut().insert(header::WWW_AUTHENTICATE, value);
        }
        reply
    }
}

async fn discovery(Held(world): Held<Shared>) -> impl IntoResponse {
    let issuer = world.issuer();
    let cache = [(header::CACHE_CONTROL, "public, max-age=3600")];
    let description = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", "email", "profile"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        "claims_supported": [
            "aud", "email", "email_verified", "exp", "given_name", "iat", "iss", "name", "sub"
        ],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
    });
    (cache, Json(description))
}

async fn jwks(Held(world): Held<Shared>) -> Result<impl IntoResponse, Refusal> {
    let rotations = world.read(|state| state.social.rotations);
    let keys = id_token::keys(rotations).map_err(|error| {
        tracing::error!(%error, "the keys cannot be shown");
        Refusal::broken()
    })?;
    Ok(([(header::CACHE_CONTROL, "public, max-age=3600")], Json(keys)))
}

/// The form of the token call.
#[derive(Deserialize)]
struct Asked {
    grant_type: Option<String>,
    code: Option<String>,
    redirect_uri: Option<String>,
    code_verifier: Option<String>,
    client_id: Option<String>,
    client_secret: Option<String>,
}

async fn token(
    Held(world): Held<Shared>,
    headers: HeaderMap,
    asked: Result<Form<Asked>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(asked) = asked.map_err(|_| Refusal::new("invalid_request", "Bad form."))?;
    authenticate(&headers, &asked, &world.social)?;
    match asked.grant_type.as_deref() {
        Some("authorization_code") => {}
        Some(_) => return Err(Refusal::new("unsupported_grant_type", "Invalid grant_type.")),
        None => return Err(Refusal::new("invalid_request", "Missing grant_type.")),
    }
    let missing = |why| Refusal::new("invalid_request", why);
    let claim = Claim {
        code: asked.code.as_deref().ok_or_else(|| missing("Missing code."))?,
        redirect_uri: asked
            .redirect_uri
            .as_deref()
            .ok_or_else(|| missing("Missing redirect_uri."))?,
        verifier: asked.code_verifier.as_deref(),
    };
    let access_token = format!("ya29.{}", secret());
    let grant =
        exchange::redeem(&world, Network::Google, claim, access_token.clone(), TOKEN_LIFE).await?;
    let body = Json(json!({
        "access_token": access_token,
        "expires_in": TOKEN_LIFE.whole_seconds(),
        "scope": grant.scope,
        "token_type": "Bearer",
        "id_token": id_token(&world, &grant)?,
    }));
    Ok(([(header::CACHE_CONTROL, "no-store")], body).into_response())
}

fn id_token(world: &World, grant: &Grant) -> Result<String, Refusal> {
    let found = world.read(|state| {
        let account = state.social.account(Network::Google, &grant.sub).cloned();
        account.map(|account| (account, state.social.rotations))
    });
    let (account, rotations) = found.ok_or(Spoilt::Unknown)?;
    let signing = Signing {
        issuer: &world.issuer(),
        client_id: world.social.client(Network::Google).0,
        rotations,
        now: clock::now(),
    };
    id_token::sign(&signing, grant, &account).map_err(|error| {
        tracing::error!(%error, "an ID token cannot be signed");
        Refusal::broken()
    })
}

/// The client's secret, by `client_secret_basic` or `client_secret_post`, and
/// not by both.
fn authenticate(headers: &HeaderMap, asked: &Asked, apps: &SocialApps) -> Result<(), Refusal> {
    let (id, secret) = apps.client(Network::Google);
    let given = match headers.get(header::AUTHORIZATION) {
        Some(_) if asked.client_secret.is_some() => {
            return Err(Refusal::new("invalid_request", "The client authenticates twice."));
        }
        Some(value) => value.to_str().ok().and_then(basic),
        None => asked.client_id.clone().zip(asked.client_secret.clone()),
    };
    match given {
        Some((given_id, given_secret)) if given_id == id && given_secret == secret => Ok(()),
        _ => Err(Refusal::stranger()),
    }
}

/// Id and secret of a Basic credential. RFC 6749, 2.3.1 has both encoded as in
/// a form before they are joined.
fn basic(value: &str) -> Option<(String, String)> {
    let (scheme, credential) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let joined = String::from_utf8(BASE64_STANDARD.decode(credential.trim()).ok()?).ok()?;
    let (id, secret) = joined.split_once(':')?;
    let form = Url::parse(&format!("form:?{id}={secret}")).ok()?;
    let (id, secret) = form.query_pairs().next()?;
    Some((id.into_owned(), secret.into_owned()))
}

async fn userinfo(Held(world): Held<Shared>, headers: HeaderMap) -> Result<Json<Value>, Refusal> {
    let credential = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = credential.and_then(|credential| credential.strip_prefix("Bearer "));
    let token = token.ok_or_else(Refusal::bad_token)?;
    world.read(|state| {
        let found = state.social.access(Network::Google, token, clock::now());
        let (access, account) = found.ok_or_else(Refusal::bad_token)?;
        let mut person = json!({});
        id_token::person(account, &access.scope, &mut person);
        Ok(Json(person))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basic_credential_is_decoded_as_a_form() {
        let encoded = BASE64_STANDARD.encode("play%3Aon:se+c%2Bret");
        let decoded = Some(("play:on".to_owned(), "se c+ret".to_owned()));
        assert_eq!(basic(&format!("basic {encoded}")), decoded);
        for bad in ["Basic", "Bearer x", "Basic !!!", "Basic bm9jb2xvbg=="] {
            assert_eq!(basic(bad), None, "{bad}");
        }
    }
}
