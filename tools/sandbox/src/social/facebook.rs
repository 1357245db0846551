//! Facebook: the OAuth dialog and the two calls of the Graph API behind it.

use axum::Form;
use axum::Json;
use axum::Router;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::Sha256;
use time::Duration;

use super::authorize;
use super::client::credentials;
use super::exchange::{self, CodeError, CodeExchange};
use super::secret::secret;
use crate::auth_header::credential;
use crate::clock;
use crate::fault_injection::{self, Target};
use crate::world::Shared;
use crate::world::account::{Account, IdentityProvider};
use crate::world::fault::{Call, Provider};
use crate::world::social::{Access, has_scope};

/// How long an access token is valid: about sixty days.
const TOKEN_LIFETIME: Duration = Duration::seconds(5_183_944);

pub(super) fn routes(world: Shared) -> Router<Shared> {
    let faults = Target { world, provider: Provider::Facebook, call, error: |_| broken() };
    Router::new()
        .route("/oauth/access_token", get(access_token).post(access_token))
        .route("/me", get(me))
        .layer(from_fn_with_state(faults, fault_injection::inject))
        // The page is added after the layer, so that faults apply to API calls only.
        .route("/dialog/oauth", authorize::route(IdentityProvider::Facebook))
}

fn call(path: &str) -> Option<Call> {
    match path {
        "/oauth/access_token" => Some(Call::Token),
        "/me" => Some(Call::Me),
        _ => None,
    }
}

fn broken() -> Response {
    let error = GraphError::new(2, "An unexpected error has occurred. Please retry later.");
    GraphError { status: StatusCode::INTERNAL_SERVER_ERROR, ..error }.into_response()
}

/// The Graph API's error reply; `code` says the reason.
#[derive(Debug)]
struct GraphError {
    status: StatusCode,
    kind: &'static str,
    code: u32,
    subcode: Option<u32>,
    message: String,
}

impl GraphError {
    fn new(code: u32, message: impl Into<String>) -> Self {
        let status = StatusCode::BAD_REQUEST;
        Self { status, kind: "OAuthException", code, subcode: None, message: message.into() }
    }

    fn bad_token() -> Self {
        Self::new(190, "Invalid OAuth access token - Cannot parse access token")
    }
}

impl From<CodeError> for GraphError {
    fn from(error: CodeError) -> Self {
        let (subcode, message) = match error {
            CodeError::Unknown => (36009, "Invalid verification code format."),
            CodeError::Used => (36009, "This authorization code has been used."),
            CodeError::Expired => (36007, "This authorization code has expired."),
            CodeError::WrongRedirect => (
                36008,
                "Error validating verification code. Please make sure your redirect_uri is \
                 identical to the one you used in the OAuth dialog request",
            ),
            CodeError::WrongVerifier => (36009, "Invalid code_verifier."),
        };
        Self { subcode: Some(subcode), ..Self::new(100, message) }
    }
}

impl IntoResponse for GraphError {
    fn into_response(self) -> Response {
        let mut error = json!({
            "message": self.message,
            "type": self.kind,
            "code": self.code,
            "fbtrace_id": format!("A{}", &secret()[..20]),
        });
        if let Some(subcode) = self.subcode {
            error["error_subcode"] = json!(subcode);
        }
        (self.status, Json(json!({ "error": error }))).into_response()
    }
}

/// The parameters of the exchange, in the query or in a form.
#[derive(Deserialize)]
struct TokenRequest {
    client_id: Option<String>,
    client_secret: Option<String>,
    redirect_uri: Option<String>,
    code: Option<String>,
    code_verifier: Option<String>,
}

async fn access_token(
    State(world): State<Shared>,
    request: Result<Form<TokenRequest>, FormRejection>,
) -> Result<Response, GraphError> {
    let Form(request) = request.map_err(|_| GraphError::new(1, "Invalid parameter"))?;
    let (id, app_secret) = credentials(&world.social, IdentityProvider::Facebook);
    let missing = |code, name| GraphError::new(code, format!("Missing {name} parameter."));
    let given = request.client_id.as_deref().ok_or_else(|| missing(101, "client_id"))?;
    if given != id {
        let why =
            "Error validating application. Cannot get application info due to a system error.";
        return Err(GraphError::new(101, why));
    }
    if request.client_secret.as_deref() != Some(app_secret) {
        return Err(GraphError::new(1, "Error validating client secret."));
    }
    let exchange = CodeExchange {
        code: request.code.as_deref().ok_or_else(|| missing(1, "code"))?,
        redirect_uri: request
            .redirect_uri
            .as_deref()
            .ok_or_else(|| missing(191, "redirect_uri"))?,
        verifier: request.code_verifier.as_deref(),
    };
    let token = format!("EAA{}", secret());
    let provider = IdentityProvider::Facebook;
    exchange::redeem(&world, provider, &exchange, token.clone(), TOKEN_LIFETIME)?;
    let body = Json(json!({
        "access_token": token,
        "token_type": "bearer",
        "expires_in": TOKEN_LIFETIME.whole_seconds(),
    }));
    Ok(([(header::CACHE_CONTROL, "no-store")], body).into_response())
}

#[derive(Deserialize)]
struct MeRequest {
    access_token: Option<String>,
    fields: Option<String>,
    appsecret_proof: Option<String>,
}

async fn me(
    State(world): State<Shared>,
    headers: HeaderMap,
    request: Result<Query<MeRequest>, QueryRejection>,
) -> Result<Json<Value>, GraphError> {
    let Query(request) = request.map_err(|_| GraphError::new(100, "Invalid parameter"))?;
    let bearer = credential(&headers, "Bearer");
    let token = request.access_token.as_deref().or(bearer).ok_or_else(|| {
        let why =
            "An active access token must be used to query information about the current user.";
        GraphError::new(2500, why)
    })?;
    let app_secret = credentials(&world.social, IdentityProvider::Facebook).1;
    if request.appsecret_proof.is_some_and(|given| given != proof(app_secret, token)) {
        let error = GraphError::new(100, "Invalid appsecret_proof provided in the API argument");
        return Err(GraphError { kind: "GraphMethodException", ..error });
    }
    world.read(|state| {
        let found = state.social.access(IdentityProvider::Facebook, token, clock::now());
        let (access, account) = found.ok_or_else(GraphError::bad_token)?;
        let fields = request.fields.as_deref().unwrap_or("id,name");
        person(access, account, fields).map(Json)
    })
}

/// The id, and the requested fields that the account has and the scopes allow.
fn person(access: &Access, account: &Account, fields: &str) -> Result<Value, GraphError> {
    let mut person = Map::from_iter([("id".to_owned(), json!(account.sub))]);
    for field in fields.split(',').filter(|field| !field.is_empty()) {
        match field {
            "id" => {}
            "name" => {
                person.insert(field.to_owned(), json!(account.name));
            }
            "email" => {
                let shown = account.email_verified && has_scope(&access.scope, "email");
                if let Some(email) = account.email.as_ref().filter(|_| shown) {
                    person.insert(field.to_owned(), json!(email));
                }
            }
            _ => {
                let why = format!("(#100) Tried accessing nonexisting field ({field})");
                return Err(GraphError::new(100, why));
            }
        }
    }
    Ok(Value::Object(person))
}

/// `appsecret_proof`: the token's HMAC under the app secret, which proves that the
/// call comes from the app's own server.
fn proof(app_secret: &str, token: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(app_secret.as_bytes()) else {
        // Cannot happen: HMAC takes keys of any length.
        return String::new();
    };
    mac.update(token.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_the_proof_as_hmac_in_hex() {
        // RFC 4231, test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(proof("Jefe", "what do ya want for nothing?"), expected);
    }
}
