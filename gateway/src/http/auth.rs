//! Signing up, in and out.

use std::time::Duration;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use mesh::Fault;
use proto::{
    Absent,
    auth::v1::{
        self as rpc, ConfirmEmailRequest, CreateCaptchaRequest, GetKeySetRequest,
        ListProvidersRequest, RefreshRequest, RejectEmailRequest, SignInRequest,
        SignOutEverywhereRequest, SignOutRequest, SignUpRequest,
    },
    chat::v1::RemovePushSubscriptionRequest,
};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        schema::{AdditionalProperties, Type},
    },
};

use super::{
    HandlerResult,
    body::{Body, request},
    device_cookie::{self, DeviceToken},
    session_cookie,
    wire::document,
};
use crate::{
    Gateway,
    envelope::{Refusal, Reply},
    http::password_turn::PasswordTurn,
    openapi::schema::payloads,
};

/// The key set is cached as long as services cache the keys.
const KEYS_MAX_AGE: HeaderValue = HeaderValue::from_static("public, max-age=60");
/// The content type of a key set (RFC 7517, section 8.5).
const KEY_SET: HeaderValue = HeaderValue::from_static("application/jwk-set+json");

/// How long a sign-out everywhere waits for the end of push subscriptions.
const PUSH_LIMIT: Duration = Duration::from_secs(2);

/// `HEAD /auth/login`: with it the app checks whether the server can be reached.
pub(crate) async fn reachable() -> StatusCode {
    StatusCode::OK
}

/// `GET /auth/providers`
pub(crate) async fn list_providers(State(gateway): State<Gateway>) -> HandlerResult<Providers> {
    let mut auth = gateway.upstreams().auth();
    let providers = auth.list_providers(ListProvidersRequest {}).await?;
    Ok(Reply::ok(providers.into_inner().into()))
}

/// `GET /auth/captcha`
pub(crate) async fn create_captcha(
    State(gateway): State<Gateway>,
) -> HandlerResult<CaptchaChallenge> {
    let mut auth = gateway.upstreams().auth();
    let captcha = auth.create_captcha(CreateCaptchaRequest {}).await?;
    let challenge = document(captcha.into_inner().challenge_json)
        .map_err(|error: serde_json::Error| Fault::failure(&error.into()))?;
    Ok(Reply::ok(CaptchaChallenge(challenge)))
}

/// `POST /auth/sign-up`
pub(crate) async fn sign_up(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    _turn: PasswordTurn,
    Body(body): Body<SignUp>,
) -> HandlerResult<Session> {
    let SignUp { email, password, captcha } = body;
    let request = SignUpRequest { email, password, captcha, device_token };
    let reply = gateway.upstreams().auth().sign_up(request).await?;
    signed_in(&gateway, StatusCode::CREATED, reply.into_inner().session)
}

/// `POST /auth/sign-in`
pub(crate) async fn sign_in(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    _turn: PasswordTurn,
    Body(body): Body<SignIn>,
) -> HandlerResult<Session> {
    let SignIn { email, password } = body;
    let request = SignInRequest { email, password, device_token };
    let reply = gateway.upstreams().auth().sign_in(request).await?;
    signed_in(&gateway, StatusCode::OK, reply.into_inner().session)
}

/// `POST /auth/refresh`
pub(crate) async fn refresh(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    DeviceToken(device_token): DeviceToken,
    Body(body): Body<Refresh>,
) -> HandlerResult<Session> {
    let cookie = session_cookie::find(&headers, &gateway.args().public_url);
    let request = RefreshRequest {
        refresh_token: body.refresh_token.unwrap_or_default(),
        cookie_token: cookie.unwrap_or_default(),
        stay_signed_in: body.stay_signed_in,
        device_token,
    };
    let reply = gateway.upstreams().auth().refresh(request).await?;
    signed_in(&gateway, StatusCode::OK, reply.into_inner().session)
}

/// The reply to every way of signing in: a session, the cookie that signs in the browser's next
/// window, and the device's cookie.
pub(super) fn signed_in(
    gateway: &Gateway,
    status: StatusCode,
    session: Option<rpc::Session>,
) -> HandlerResult<Session> {
    let origin = &gateway.args().public_url;
    let device =
        session.as_ref().and_then(|session| device_cookie::of(&session.device_token, origin));
    let session: Session = session.try_into()?;
    let cookie = session_cookie::of(&session.refresh_token, session.stay_signed_in, origin);
    let reply = Reply::new(status, "OK", session).with_cookie(&cookie);
    Ok(device.iter().fold(reply, Reply::with_cookie))
}

/// `POST /auth/sign-out`
pub(crate) async fn sign_out(
    State(gateway): State<Gateway>,
    Body(body): Body<SignOut>,
) -> HandlerResult<()> {
    let request = SignOutRequest { refresh_token: body.refresh_token };
    gateway.upstreams().auth().sign_out(request).await?;
    Ok(Reply::ok(()).with_cookie(&session_cookie::removal(&gateway.args().public_url)))
}

/// `POST /auth/sign-out-everywhere`
pub(crate) async fn sign_out_everywhere(State(gateway): State<Gateway>) -> HandlerResult<()> {
    // A device that is signed out shows no more pushes. The sign-out does not need svc-chat to be
    // up: svc-chat's deliveries check whether the session is open.
    let all = RemovePushSubscriptionRequest { all: true, ..Default::default() };
    let mut push = gateway.upstreams().push();
    let removed = tokio::time::timeout(PUSH_LIMIT, push.remove_push_subscription(all)).await;
    if !matches!(removed, Ok(Ok(_))) {
        tracing::warn!("push subscriptions stay after a sign-out");
    }
    let mut auth = gateway.upstreams().auth();
    auth.sign_out_everywhere(SignOutEverywhereRequest {}).await?;
    let origin = &gateway.args().public_url;
    let reply = Reply::new(StatusCode::OK, "SIGNED_OUT_EVERYWHERE", ());
    // A thief may have a copy of the device's token, so the next sign-in issues a new one.
    let reply = reply.with_cookie(&session_cookie::removal(origin));
    Ok(reply.with_cookie(&device_cookie::removal(origin)))
}

/// `POST /auth/email/confirm`
pub(crate) async fn confirm_email(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    _turn: PasswordTurn,
    Body(body): Body<ConfirmEmail>,
) -> HandlerResult<()> {
    let ConfirmEmail { token, password } = body;
    let request = ConfirmEmailRequest { token, password, device_token };
    gateway.upstreams().auth().confirm_email(request).await?;
    Ok(Reply::new(StatusCode::OK, "EMAIL_CONFIRMED", ()))
}

/// `POST /auth/email/reject`
pub(crate) async fn reject_email(
    State(gateway): State<Gateway>,
    Body(body): Body<RejectEmail>,
) -> HandlerResult<()> {
    let request = RejectEmailRequest { token: body.token };
    gateway.upstreams().auth().reject_email(request).await?;
    Ok(Reply::new(StatusCode::OK, "EMAIL_REMOVED", ()))
}

/// `GET /.well-known/jwks.json`: a document of RFC 7517, without an envelope.
pub(crate) async fn key_set(State(gateway): State<Gateway>) -> Result<Response, Refusal> {
    let reply = gateway.upstreams().keys().get_key_set(GetKeySetRequest {}).await?;
    let headers = [(CONTENT_TYPE, KEY_SET), (CACHE_CONTROL, KEYS_MAX_AGE)];
    Ok((headers, reply.into_inner().jwks_json).into_response())
}

request! {
    /// A new account.
    pub(crate) struct SignUp {
        #[schema(format = "email")]
        email: String = "email",
        #[schema(min_length = 6, max_length = 128)]
        password: String = "password",
        /// The solution of a captcha, as the ALTCHA widget encodes it.
        captcha: String = "captcha",
    }
}

request! {
    /// A sign-in with a password.
    pub(crate) struct SignIn {
        email: String = "email",
        password: String = "password",
    }
}

request! {
    /// The renewal of a session.
    pub(crate) struct Refresh {
        /// The refresh token, which can be used once. In a new window it is absent, and the token
        /// of the session cookie is used, which was set at sign-in.
        refresh_token: Option<String> = "refreshToken",
        /// Whether the session outlives the browser from now on; absent to leave this as it is.
        stay_signed_in: Option<bool> = "staySignedIn",
    }
}

request! {
    /// The end of a session.
    pub(crate) struct SignOut {
        refresh_token: String = "refreshToken",
    }
}

request! {
    /// The confirmation of an email address.
    pub(crate) struct ConfirmEmail {
        /// The token of the mail's link.
        token: String = "token",
        /// The account's password; absent when the player is signed in to the account.
        password: Option<String> = "password",
    }
}

request! {
    /// The removal of an email address from an account that its owner did not make.
    pub(crate) struct RejectEmail {
        /// The token of the mail's link.
        token: String = "token",
    }
}

payloads!(CaptchaChallenge, Providers, Session);

/// A challenge of ALTCHA v2, passed on as svc-auth signed it.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct CaptchaChallenge(Box<RawValue>);

impl ToSchema for CaptchaChallenge {}

impl PartialSchema for CaptchaChallenge {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let number = || ObjectBuilder::new().schema_type(Type::Integer);
        // The signature covers all parameters, so unknown ones are kept as well.
        let open = || Some(AdditionalProperties::FreeForm(true));
        let mut parameters = ObjectBuilder::new().additional_properties(open());
        for name in ["algorithm", "nonce", "salt", "keyPrefix"] {
            parameters = parameters.property(name, text()).required(name);
        }
        for name in ["cost", "keyLength"] {
            parameters = parameters.property(name, number()).required(name);
        }
        parameters = parameters
            .property("expiresAt", number().description(Some("Seconds since the epoch.")));
        ObjectBuilder::new()
            .description(Some("A challenge of ALTCHA v2, as its widget reads it."))
            .property("parameters", parameters)
            .required("parameters")
            .property("signature", text())
            .additional_properties(open())
            .into()
    }
}

/// The ways of signing in that are switched on.
#[derive(Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the shape is the contract's")]
pub(crate) struct Providers {
    email: bool,
    phone: bool,
    google: bool,
    facebook: bool,
}

impl From<rpc::ListProvidersResponse> for Providers {
    fn from(reply: rpc::ListProvidersResponse) -> Self {
        Self {
            email: reply.email,
            phone: reply.phone,
            google: reply.google,
            facebook: reply.facebook,
        }
    }
}

/// A signed-in player's credentials.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    uid: String,
    access_token: String,
    refresh_token: String,
    /// The end of the access token, in milliseconds since the epoch.
    expiration_time: i64,
    /// Whether this sign-in created the account.
    is_new_user: bool,
    /// Whether the session outlives the browser, for 30 days since it was used last.
    stay_signed_in: bool,
}

impl TryFrom<Option<rpc::Session>> for Session {
    type Error = Absent;

    fn try_from(session: Option<rpc::Session>) -> Result<Self, Absent> {
        let session = session.ok_or(Absent("session"))?;
        Ok(Self {
            uid: session.uid,
            access_token: session.access_token,
            refresh_token: session.refresh_token,
            expiration_time: session.expiration_time_ms,
            is_new_user: session.is_new_user,
            stay_signed_in: session.stay_signed_in,
        })
    }
}
