//! Signing in with Google or Facebook: what the browser sees of it.
//!
//! `start` sends it to the provider, and the provider sends it back to `callback`. What
//! comes of that is a code of svc-auth's, good once and for a minute, that the app
//! trades for a session; it is handed over by the page in a pop-up, or behind the `#` of
//! a page of ours.

mod attempt;
mod destination;
mod page;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, LOCATION, REFERRER_POLICY, SET_COOKIE},
};
use mesh::Fault;
use proto::auth::v1::{
    ExchangeOAuthRequest, FinishOAuthRequest, OAuthProvider, StartOAuthRequest,
    finish_o_auth_request::Answer,
};
use tonic::Status;

use self::{attempt::Attempt, destination::Destination};
use super::{
    Outcome,
    auth::Session,
    body::Body,
    param::{Pairs, Segment},
};
use crate::{
    Gateway,
    edge::headers::OPENER_POLICY,
    envelope::{Refusal, Reply},
};

/// A provider's page between ours must find the opener still there. And a url that
/// holds a code is told to nobody.
const PASSING: [(HeaderName, HeaderValue); 3] = [
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (OPENER_POLICY, HeaderValue::from_static("unsafe-none")),
];

/// Who vouches for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Provider {
    Google,
    Facebook,
}

/// Why there is no code. All that a player is told comes from here: what a provider
/// says of a failure can be anybody's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Denied,
    State,
    Failed,
    Off,
    Unavailable,
}

/// `GET /auth/oauth/{provider}/start`: in a pop-up; or with `?redirect`, in its place.
pub(crate) async fn start(
    State(gateway): State<Gateway>,
    Segment(provider): Segment,
    query: Pairs,
) -> Result<Response, Refusal> {
    let provider = Provider::named(&provider)?;
    let destination = match query.first("redirect") {
        None => Destination::Opener,
        Some(path) => Destination::page(path)
            .ok_or_else(|| Fault::invalid_field("redirect", "That is no page to come back to."))?,
    };
    let request = StartOAuthRequest { provider: provider.rpc().into() };
    let reply = match gateway.upstreams().auth().start_o_auth(request).await {
        Ok(reply) => reply.into_inner(),
        Err(status) => return Ok(arrive(provider, &destination, Err(status.into()))),
    };
    let attempt = Attempt { browser_secret: reply.browser_secret, destination };
    let cookie = attempt.cookie(&reply.state, &gateway.args().public_url);
    let there = HeaderValue::try_from(reply.authorization_url);
    match (there, HeaderValue::try_from(cookie.to_string())) {
        (Ok(there), Ok(cookie)) => {
            let headers = [(LOCATION, there), (SET_COOKIE, cookie)];
            Ok((StatusCode::FOUND, PASSING, headers).into_response())
        }
        (Err(error), _) | (_, Err(error)) => {
            let fault = Fault::failure(&anyhow::Error::new(error).context("svc-auth's url"));
            Err(fault.into())
        }
    }
}

/// `GET /auth/oauth/{provider}/callback`: where the provider sends the browser.
pub(crate) async fn callback(
    State(gateway): State<Gateway>,
    Segment(provider): Segment,
    headers: HeaderMap,
    query: Pairs,
) -> Result<Response, Refusal> {
    let provider = Provider::named(&provider)?;
    let state = query.first("state").unwrap_or_default();
    let Some(attempt) = Attempt::find(&headers, state, &gateway.args().public_url) else {
        // Begun in another browser, or too long ago, or by somebody who forged it.
        return Ok(arrive(provider, &Destination::Opener, Err(Trouble::State)));
    };
    let answer = match (query.first("code"), query.first("error")) {
        (Some(code), None) => Answer::Code(code.to_owned()),
        (_, error) => Answer::Error(error.unwrap_or_default().to_owned()),
    };
    let request = FinishOAuthRequest {
        provider: provider.rpc().into(),
        state: state.to_owned(),
        browser_secret: attempt.browser_secret,
        answer: Some(answer),
    };
    let outcome = match gateway.upstreams().auth().finish_o_auth(request).await {
        Ok(reply) => Ok(reply.into_inner().exchange_code),
        Err(status) => Err(status.into()),
    };
    let mut response = arrive(provider, &attempt.destination, outcome);
    let over = attempt::over(state, &gateway.args().public_url).to_string();
    if let Ok(cookie) = HeaderValue::try_from(over) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// `POST /auth/oauth/exchange`
pub(crate) async fn exchange(State(gateway): State<Gateway>, body: Body) -> Outcome<Session> {
    let request =
        body.read(|fields| ExchangeOAuthRequest { exchange_code: fields.text("code") })?;
    let reply = gateway.upstreams().auth().exchange_o_auth(request).await?;
    Ok(Reply::ok(reply.into_inner().session.try_into()?))
}

/// Hands over what came of it.
fn arrive(
    provider: Provider,
    destination: &Destination,
    outcome: Result<String, Trouble>,
) -> Response {
    match destination {
        Destination::Opener => (PASSING, page::page(provider, &outcome)).into_response(),
        Destination::Page(path) => {
            let fragment = match &outcome {
                Ok(code) => format!("oauth={code}"),
                Err(trouble) => format!("oauth_error={}", trouble.code()),
            };
            let there = [(LOCATION, format!("{path}#{fragment}"))];
            (StatusCode::SEE_OTHER, PASSING, there).into_response()
        }
    }
}

impl Provider {
    fn named(name: &str) -> Result<Self, Refusal> {
        match name {
            "google" => Ok(Self::Google),
            "facebook" => Ok(Self::Facebook),
            _ => Err(Refusal::not_found()),
        }
    }

    const fn rpc(self) -> OAuthProvider {
        match self {
            Self::Google => OAuthProvider::Google,
            Self::Facebook => OAuthProvider::Facebook,
        }
    }
}

impl Trouble {
    const fn code(self) -> &'static str {
        match self {
            Self::Denied => "OAUTH_DENIED",
            Self::State => "OAUTH_STATE",
            Self::Failed => "OAUTH_FAILED",
            Self::Off => "PROVIDER_OFF",
            Self::Unavailable => "UNAVAILABLE",
        }
    }

    const fn status(self) -> StatusCode {
        match self {
            Self::Denied => StatusCode::FORBIDDEN,
            Self::State => StatusCode::BAD_REQUEST,
            Self::Failed => StatusCode::UNAUTHORIZED,
            Self::Off => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    const fn message(self, provider: Provider) -> &'static str {
        match (self, provider) {
            (Self::Denied, _) => "You cancelled the sign-in.",
            (Self::State, _) => {
                "That sign-in did not start in this browser, or took too long. Please try again."
            }
            (Self::Failed, Provider::Google) => {
                "We could not sign you in with Google. Please try again."
            }
            (Self::Failed, Provider::Facebook) => {
                "We could not sign you in with Facebook. Please try again."
            }
            (Self::Off, Provider::Google) => "Signing in with Google is not possible here.",
            (Self::Off, Provider::Facebook) => "Signing in with Facebook is not possible here.",
            (Self::Unavailable, _) => "We cannot do that right now. Please try again in a moment.",
        }
    }
}

/// By svc-auth's reason; whatever else went wrong is told as one thing.
impl From<Status> for Trouble {
    fn from(status: Status) -> Self {
        match Refusal::from(status).code() {
            "OAUTH_DENIED" => Self::Denied,
            "OAUTH_STATE" => Self::State,
            "OAUTH_FAILED" => Self::Failed,
            "PROVIDER_OFF" => Self::Off,
            _ => Self::Unavailable,
        }
    }
}
