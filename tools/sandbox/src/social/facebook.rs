//! Facebook: its dialog, and the two calls of Graph behind it.

use std::fmt::Write;

use axum::Form;
use axum::Json;
use axum::Router;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Query, Request, State as Held};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::Sha256;
use time::Duration;

use super::exchange::{self, Claim, Spoilt};
use super::{authorize, secret};
use crate::clock;
use crate::trouble;
use crate::world::Shared;
use crate::world::account::{Account, Network};
use crate::world::fault::{Call, Provider};
use crate::world::social::{Access, has_scope};

/// How long an access token is good: about sixty days.
const TOKEN_LIFE: Duration = Duration::seconds(5_183_944);

pub(super) fn routes(world: Shared) -> Router<Shared> {
    Router::new()
        .route("/oauth/access_token", get(access_token).post(access_token))
        .route("/me", get(me))
        .layer(from_fn_with_state(world, suffer))
        // Faults are for programs; people see their page.
        .route(
            "/dialog/oauth",
            get(async |Held(world), asked, query| {
                authorize::show(world, Network::Facebook, asked, query).await
            })
            .post(async |Held(world), asked, query, choice| {
                authorize::decide(world, Network::Facebook, asked, query, choice).await
            }),
        )
}

async fn suffer(Held(world): Held<Shared>, request: Request, next: Next) -> Response {
    let call = match request.uri().path() {
        "/me" => Call::Me,
        _ => Call::Token,
    };
    let Some(fault) = trouble::strike(&world, Provider::Facebook, call).await else {
        return next.run(request).await;
    };
    let mut refusal = GraphError::new(2, "An unexpected error has occurred. Please retry later.");
    refusal.status = StatusCode::INTERNAL_SERVER_ERROR;
    trouble::suffer(&world, &fault, refusal.into_response(), request, next).await
}

/// How Graph says no. Clients tell the reasons apart by `code`.
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

impl From<Spoilt> for GraphError {
    fn from(spoilt: Spoilt) -> Self {
        let (subcode, message) = match spoilt {
            Spoilt::Unknown => (36009, "Invalid verification code format."),
            Spoilt::Used => (36009, "This authorization code has been used."),
            Spoilt::Expired => (36007, "This authorization code has expired."),
            Spoilt::WrongRedirect => (
                36008,
                "Error validating verification code. Please make sure your redirect_uri is \
                 identical to the one you used in the OAuth dialog request",
            ),
            Spoilt::WrongVerifier => (36009, "Invalid code_verifier."),
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

/// The fields of the exchange, in the address or in a form.
#[derive(Deserialize)]
struct Exchange {
    client_id: Option<String>,
    client_secret: Option<String>,
    redirect_uri: Option<String>,
    code: Option<String>,
    code_verifier: Option<String>,
}

async fn access_token(
    Held(world): Held<Shared>,
    asked: Result<Form<Exchange>, FormRejection>,
) -> Result<Response, GraphError> {
    let Form(asked) = asked.map_err(|_| GraphError::new(1, "Invalid parameter"))?;
    let (id, app_secret) = world.social.client(Network::Facebook);
    let missing = |code, name| GraphError::new(code, format!("Missing {name} parameter."));
    let given = asked.client_id.as_deref().ok_or_else(|| missing(101, "client_id"))?;
    if given != id {
        let why =
            "Error validating application. Cannot get application info due to a system error.";
        return Err(GraphError::new(101, why));
    }
    if asked.client_secret.as_deref() != Some(app_secret) {
        return Err(GraphError::new(1, "Error validating client secret."));
    }
    let claim = Claim {
        code: asked.code.as_deref().ok_or_else(|| missing(1, "code"))?,
        redirect_uri: asked.redirect_uri.as_deref().ok_or_else(|| missing(191, "redirect_uri"))?,
        verifier: asked.code_verifier.as_deref(),
    };
    let token = format!("EAA{}", secret());
    exchange::redeem(&world, Network::Facebook, claim, token.clone(), TOKEN_LIFE).await?;
    let body = Json(json!({
        "access_token": token,
        "token_type": "bearer",
        "expires_in": TOKEN_LIFE.whole_seconds(),
    }));
    Ok(([(header::CACHE_CONTROL, "no-store")], body).into_response())
}

#[derive(Deserialize)]
struct Look {
    access_token: Option<String>,
    fields: Option<String>,
    appsecret_proof: Option<String>,
}

async fn me(
    Held(world): Held<Shared>,
    headers: HeaderMap,
    look: Result<Query<Look>, QueryRejection>,
) -> Result<Json<Value>, GraphError> {
    let Query(look) = look.map_err(|_| GraphError::new(100, "Invalid parameter"))?;
    let credential = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = credential.and_then(|credential| credential.strip_prefix("Bearer "));
    let token = look.access_token.as_deref().or(bearer).ok_or_else(|| {
        let why =
            "An active access token must be used to query information about the current user.";
        GraphError::new(2500, why)
    })?;
    let app_secret = world.social.client(Network::Facebook).1;
    if look.appsecret_proof.is_some_and(|given| given != proof(app_secret, token)) {
        let error = GraphError::new(100, "Invalid appsecret_proof provided in the API argument");
        return Err(GraphError { kind: "GraphMethodException", ..error });
    }
    world.read(|state| {
        let found = state.social.access(Network::Facebook, token, clock::now());
        let (access, account) = found.ok_or_else(GraphError::bad_token)?;
        let fields = look.fields.as_deref().unwrap_or("id,name");
        person(access, account, fields).map(Json)
    })
}

/// The fields that were asked for, as far as the person has them and lets this
/// client see them. The id is always told.
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

/// What shows that a call comes from the app's own server: the token's HMAC
/// under the app's secret.
fn proof(app_secret: &str, token: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(app_secret.as_bytes()) else {
        // HMAC takes keys of any length.
        return String::new();
    };
    mac.update(token.as_bytes());
    mac.finalize().into_bytes().iter().fold(String::new(), |mut hex, byte| {
        // Writing into a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_the_hmac_in_hex() {
        // RFC 4231, test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(proof("Jefe", "what do ya want for nothing?"), expected);
    }
}
