//! Google: `OpenID` Connect.

use axum::Form;
use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;

use super::authorize;
use super::client::credentials;
use super::exchange::{self, CodeError, CodeExchange};
use super::id_token::{self, Signing};
use super::secret::secret;
use crate::auth_header::credential;
use crate::clock;
use crate::config::SocialApps;
use crate::fault_injection::{self, Target};
use crate::world::account::IdentityProvider;
use crate::world::fault::{Call, Provider};
use crate::world::social::Grant;
use crate::world::{Shared, World};

/// How long an access token is valid.
const TOKEN_LIFETIME: Duration = Duration::seconds(3_599);

const DISCOVERY: &str = "/.well-known/openid-configuration";

pub(super) fn routes(world: Shared) -> Router<Shared> {
    let error = |_| Refusal::internal().into_response();
    let faults = Target { world, provider: Provider::Google, call, error };
    Router::new()
        .route(DISCOVERY, get(discovery))
        .route("/jwks", get(jwks))
        .route("/token", post(token))
        .route("/userinfo", get(userinfo).post(userinfo))
        .layer(from_fn_with_state(faults, fault_injection::inject))
        // The page is added after the layer, so that faults apply to API calls only.
        .route("/authorize", authorize::route(IdentityProvider::Google))
}

fn call(path: &str) -> Option<Call> {
    match path {
        DISCOVERY => Some(Call::Discovery),
        "/jwks" => Some(Call::Jwks),
        "/token" => Some(Call::Token),
        "/userinfo" => Some(Call::Userinfo),
        _ => None,
    }
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

    fn invalid_client() -> Self {
        let why = "The OAuth client was not found, or its secret is wrong.";
        Self { status: StatusCode::UNAUTHORIZED, error: "invalid_client", why }
    }

    fn bad_token() -> Self {
        let why = "Invalid Credentials";
        Self { status: StatusCode::UNAUTHORIZED, error: "invalid_token", why }
    }

    fn internal() -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self { status, error: "internal_failure", why: "Backend Error" }
    }
}

impl From<CodeError> for Refusal {
    fn from(error: CodeError) -> Self {
        let why = match error {
            CodeError::Unknown => "Malformed auth code.",
            CodeError::Used => "The code was used before.",
            CodeError::Expired => "The code has expired.",
            CodeError::WrongRedirect => "redirect_uri is not the one of the authorization request.",
            CodeError::WrongVerifier => "code_verifier does not fit code_challenge.",
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

async fn discovery(State(world): State<Shared>) -> impl IntoResponse {
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
            "aud", "email", "email_verified", "exp", "given_name", "hd", "iat", "iss", "name", "sub"
        ],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
    });
    (cache, Json(description))
}

async fn jwks(State(world): State<Shared>) -> Result<impl IntoResponse, Refusal> {
    let rotations = world.read(|state| state.social.rotations);
    let keys = id_token::keys(rotations).map_err(|error| {
        tracing::error!(%error, "the signing keys cannot be converted");
        Refusal::internal()
    })?;
    Ok(([(header::CACHE_CONTROL, "public, max-age=3600")], Json(keys)))
}

/// The form of the token call.
#[derive(Deserialize)]
struct TokenRequest {
    grant_type: Option<String>,
    code: Option<String>,
    redirect_uri: Option<String>,
    code_verifier: Option<String>,
    client_id: Option<String>,
    client_secret: Option<String>,
}

async fn token(
    State(world): State<Shared>,
    headers: HeaderMap,
    request: Result<Form<TokenRequest>, FormRejection>,
) -> Result<Response, Refusal> {
    let invalid = |why| Refusal::new("invalid_request", why);
    let Form(request) = request.map_err(|_| invalid("Bad form."))?;
    authenticate(&headers, &request, &world.social)?;
    match request.grant_type.as_deref() {
        Some("authorization_code") => {}
        Some(_) => return Err(Refusal::new("unsupported_grant_type", "Invalid grant_type.")),
        None => return Err(invalid("Missing grant_type.")),
    }
    let redirect_uri = request.redirect_uri.as_deref();
    let exchange = CodeExchange {
        code: request.code.as_deref().ok_or_else(|| invalid("Missing code."))?,
        redirect_uri: redirect_uri.ok_or_else(|| invalid("Missing redirect_uri."))?,
        verifier: request.code_verifier.as_deref(),
    };
    let access_token = format!("ya29.{}", secret());
    let provider = IdentityProvider::Google;
    let grant =
        exchange::redeem(&world, provider, &exchange, access_token.clone(), TOKEN_LIFETIME)?;
    let body = Json(json!({
        "access_token": access_token,
        "expires_in": TOKEN_LIFETIME.whole_seconds(),
        "scope": grant.scope,
        "token_type": "Bearer",
        "id_token": id_token(&world, &grant)?,
    }));
    Ok(([(header::CACHE_CONTROL, "no-store")], body).into_response())
}

fn id_token(world: &World, grant: &Grant) -> Result<String, Refusal> {
    let found = world.read(|state| {
        let account = state.social.account(IdentityProvider::Google, &grant.sub).cloned();
        account.map(|account| (account, state.social.rotations))
    });
    let (account, rotations) = found.ok_or(CodeError::Unknown)?;
    let signing = Signing {
        issuer: &world.issuer(),
        client_id: credentials(&world.social, IdentityProvider::Google).0,
        rotations,
        now: clock::now(),
    };
    id_token::sign(&signing, grant, &account).map_err(|error| {
        tracing::error!(%error, "an ID token cannot be signed");
        Refusal::internal()
    })
}

/// Checks the client's secret, given by either `client_secret_basic` or
/// `client_secret_post`.
fn authenticate(
    headers: &HeaderMap,
    request: &TokenRequest,
    apps: &SocialApps,
) -> Result<(), Refusal> {
    let (id, secret) = credentials(apps, IdentityProvider::Google);
    let given = match headers.get(header::AUTHORIZATION) {
        Some(_) if request.client_secret.is_some() => {
            return Err(Refusal::new("invalid_request", "The client authenticates twice."));
        }
        Some(_) => credential(headers, "Basic").and_then(basic),
        None => request.client_id.clone().zip(request.client_secret.clone()),
    };
    match given {
        Some((given_id, given_secret)) if given_id == id && given_secret == secret => Ok(()),
        _ => Err(Refusal::invalid_client()),
    }
}

/// Id and secret of a Basic credential, both form-encoded (RFC 6749, 2.3.1).
fn basic(credential: &str) -> Option<(String, String)> {
    let joined = String::from_utf8(BASE64_STANDARD.decode(credential).ok()?).ok()?;
    let (id, secret) = joined.split_once(':')?;
    let form = Url::parse(&format!("form:?{id}={secret}")).ok()?;
    let (id, secret) = form.query_pairs().next()?;
    Some((id.into_owned(), secret.into_owned()))
}

async fn userinfo(State(world): State<Shared>, headers: HeaderMap) -> Result<Json<Value>, Refusal> {
    let token = credential(&headers, "Bearer").ok_or_else(Refusal::bad_token)?;
    world.read(|state| {
        let found = state.social.access(IdentityProvider::Google, token, clock::now());
        let (access, account) = found.ok_or_else(Refusal::bad_token)?;
        let mut person = json!({});
        id_token::add_profile(account, &access.scope, &mut person);
        Ok(Json(person))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_a_basic_credential_as_a_form() {
        let encoded = BASE64_STANDARD.encode("play%3Aon:se+c%2Bret");
        let decoded = Some(("play:on".to_owned(), "se c+ret".to_owned()));
        assert_eq!(basic(&encoded), decoded);
        for bad in ["", "!!!", "bm9jb2xvbg=="] {
            assert_eq!(basic(bad), None, "{bad}");
        }
    }
}
