//! Signing in with Google or Facebook: the browser's part.
//!
//! `start` redirects it to the provider, which redirects it back to `callback`. The result
//! is a code of svc-auth's, valid once and for a minute, which the app exchanges for a
//! session. It is passed to the app by the pop-up's page, or in the fragment of a page of
//! ours.

mod attempt;
mod destination;
mod error;
mod page;
mod provider;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, LOCATION, REFERRER_POLICY, SET_COOKIE},
};
use mesh::{Fault, Language, call::Call};
use proto::auth::v1::{
    ConfirmOAuthJoinRequest, ExchangeOAuthRequest, FinishOAuthRequest, StartOAuthJoinRequest,
    StartOAuthRequest, finish_o_auth_request::Answer,
};

use self::{attempt::Attempt, destination::Destination, error::SignInError, provider::Provider};
use super::{
    HandlerResult,
    auth::{Session, signed_in},
    body::{Body, request},
    device::MailedCode,
    device_cookie::DeviceToken,
    param::{Query, Segment},
};
use crate::{
    Gateway,
    envelope::{Refusal, Reply},
    headers::OPENER_POLICY,
    language,
};

/// The provider's page in the pop-up must not cut the link to the opener, and a URL with a
/// code must not be sent as a referrer.
const REDIRECT_HEADERS: [(HeaderName, HeaderValue); 3] = [
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (OPENER_POLICY, HeaderValue::from_static("unsafe-none")),
];

/// `GET /auth/oauth/{provider}/start`: in a pop-up, or with `?redirect` in the app's tab.
pub(crate) async fn start(
    State(gateway): State<Gateway>,
    Segment(provider): Segment,
    Query(query): Query<StartQuery>,
) -> Result<Response, Refusal> {
    let provider = Provider::named(&provider)?;
    let destination = match query.redirect.as_deref() {
        None => Destination::Opener,
        Some(path) => Destination::page(path)
            .ok_or_else(|| Fault::invalid_field("redirect", "PAGE_UNKNOWN"))?,
    };
    let chosen = query.language.as_deref().and_then(Language::named);
    let language = chosen.unwrap_or_else(language::current);
    let request = StartOAuthRequest { provider: provider.rpc().into() };
    let reply = match gateway.upstreams().auth().start_o_auth(request).await {
        Ok(reply) => reply.into_inner(),
        Err(status) => return Ok(finish(provider, language, &destination, Err(status.into()))),
    };
    let attempt = Attempt { browser_secret: reply.browser_secret, destination, language };
    let cookie = attempt.cookie(&reply.state, &gateway.args().public_url);
    let url = match chosen {
        Some(language) => provider.in_language(reply.authorization_url, language),
        None => reply.authorization_url,
    };
    let location = HeaderValue::try_from(url);
    match (location, HeaderValue::try_from(cookie.to_string())) {
        (Ok(location), Ok(cookie)) => {
            let headers = [(LOCATION, location), (SET_COOKIE, cookie)];
            Ok((StatusCode::FOUND, REDIRECT_HEADERS, headers).into_response())
        }
        (Err(error), _) | (_, Err(error)) => {
            let fault = Fault::failure(&anyhow::Error::new(error).context("svc-auth's url"));
            Err(fault.into())
        }
    }
}

/// `GET /auth/oauth/{provider}/callback`: the provider redirects the browser here.
pub(crate) async fn callback(
    State(gateway): State<Gateway>,
    Segment(provider): Segment,
    headers: HeaderMap,
    Query(query): Query<CallbackQuery>,
) -> Result<Response, Refusal> {
    let provider = Provider::named(&provider)?;
    let state = query.state.as_deref().unwrap_or_default();
    let Some(attempt) = Attempt::find(&headers, state, &gateway.args().public_url) else {
        // The attempt began in another browser or too long ago, or it is forged.
        let outcome = Err(SignInError::State);
        return Ok(finish(provider, language::current(), &Destination::Opener, outcome));
    };
    let answer = match (query.code.as_deref(), query.error.as_deref()) {
        (Some(code), None) => Answer::Code(code.to_owned()),
        (_, error) => Answer::Error(error.unwrap_or_default().to_owned()),
    };
    let request = FinishOAuthRequest {
        provider: provider.rpc().into(),
        state: state.to_owned(),
        browser_secret: attempt.browser_secret,
        answer: Some(answer),
    };
    // The provider's page leads here by a link, whose language is the browser's and not the app's.
    let call = Call::current().in_language(attempt.language);
    let mut auth = gateway.upstreams().auth();
    let outcome = match call.run(auth.finish_o_auth(request)).await {
        Ok(reply) => Ok(reply.into_inner().exchange_code),
        Err(status) => Err(status.into()),
    };
    let mut response = finish(provider, attempt.language, &attempt.destination, outcome);
    let removal = attempt::removal(state, &gateway.args().public_url).to_string();
    if let Ok(cookie) = HeaderValue::try_from(removal) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// `POST /auth/oauth/exchange`
pub(crate) async fn exchange(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    Body(body): Body<ExchangeOAuth>,
) -> HandlerResult<Session> {
    let request = ExchangeOAuthRequest { exchange_code: body.exchange_code, device_token };
    let reply = gateway.upstreams().auth().exchange_o_auth(request).await?;
    signed_in(&gateway, StatusCode::OK, reply.into_inner().session)
}

/// `POST /auth/oauth/join`: after `EMAIL_CODE_NEEDED`.
pub(crate) async fn start_join(
    State(gateway): State<Gateway>,
    Body(body): Body<StartOAuthJoin>,
) -> HandlerResult<MailedCode> {
    let request = StartOAuthJoinRequest { exchange_code: body.exchange_code };
    let reply = gateway.upstreams().auth().start_o_auth_join(request).await?;
    Ok(Reply::new(StatusCode::OK, "CODE_MAILED", reply.into_inner().try_into()?))
}

/// `POST /auth/oauth/join/confirm`
pub(crate) async fn confirm_join(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    Body(body): Body<ConfirmOAuthJoin>,
) -> HandlerResult<Session> {
    let request = ConfirmOAuthJoinRequest {
        exchange_code: body.exchange_code,
        code: body.email_code,
        device_token,
    };
    let reply = gateway.upstreams().auth().confirm_o_auth_join(request).await?;
    signed_in(&gateway, StatusCode::OK, reply.into_inner().session)
}

request! {
    /// Where a sign-in ends.
    pub(crate) struct StartQuery {
        /// A page of the app, to sign in in its tab; without it, in a pop-up.
        redirect: Option<String> = "redirect",
        /// The language chosen in the app, `en` or `sw`; without it, the browser's.
        language: Option<String> = "language",
    }
}

request! {
    /// The provider's answer.
    pub(crate) struct CallbackQuery {
        state: Option<String> = "state",
        code: Option<String> = "code",
        error: Option<String> = "error",
    }
}

request! {
    /// The end of a sign-in with a provider.
    pub(crate) struct ExchangeOAuth {
        /// The one-time code that the callback gave to the app.
        exchange_code: String = "code",
    }
}

request! {
    /// A sign-in with a provider that waits for a mailed code.
    pub(crate) struct StartOAuthJoin {
        /// The one-time code that the callback gave to the app.
        exchange_code: String = "code",
    }
}

request! {
    /// The code of the mail.
    pub(crate) struct ConfirmOAuthJoin {
        /// The one-time code that the callback gave to the app.
        exchange_code: String = "code",
        email_code: String = "emailCode",
    }
}

/// Passes the result to the app.
fn finish(
    provider: Provider,
    language: Language,
    destination: &Destination,
    outcome: Result<String, SignInError>,
) -> Response {
    match destination {
        Destination::Opener => {
            let page = language::within(language, || page::page(provider, &outcome));
            (REDIRECT_HEADERS, page).into_response()
        }
        Destination::Page(path) => {
            let fragment = match &outcome {
                Ok(code) => format!("oauth={code}"),
                Err(error) => format!("oauth_error={}", error.code()),
            };
            let location = [(LOCATION, format!("{path}#{fragment}"))];
            (StatusCode::SEE_OTHER, REDIRECT_HEADERS, location).into_response()
        }
    }
}
