//! Signing in with a code that is sent to a phone.

use axum::extract::State;
use http::StatusCode;
use proto::{
    Absent,
    auth::v1::{self as rpc, StartPhoneSignInRequest, VerifyPhoneSignInRequest},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    auth::{Session, signed_in},
    body::{Body, request},
    device_cookie::DeviceToken,
    wire::At,
};
use crate::{
    Gateway, envelope::Reply, http::strange_codes::StrangeCodes, openapi::schema::payloads,
};

/// `POST /auth/phone/start`
pub(crate) async fn start(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    strange_codes: StrangeCodes,
    Body(body): Body<StartPhone>,
) -> HandlerResult<SentCode> {
    let StartPhone { phone, captcha } = body;
    let counted = strange_codes.count(gateway.rate_limiter()).await;
    let address_spent = counted.is_none();
    let request = StartPhoneSignInRequest { phone, captcha, device_token, address_spent };
    let reply = gateway.upstreams().auth().start_phone_sign_in(request).await;
    if let Some(counted) = counted
        && reply.as_ref().map_or(true, |reply| reply.get_ref().known_device)
    {
        counted.give_back(gateway.rate_limiter()).await;
    }
    Ok(Reply::new(StatusCode::OK, "CODE_SENT", reply?.into_inner().try_into()?))
}

/// `POST /auth/phone/verify`
pub(crate) async fn verify(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    Body(body): Body<VerifyPhone>,
) -> HandlerResult<Session> {
    let VerifyPhone { challenge_id, code } = body;
    let request = VerifyPhoneSignInRequest { challenge_id, code, device_token };
    let reply = gateway.upstreams().auth().verify_phone_sign_in(request).await?;
    signed_in(&gateway, StatusCode::OK, reply.into_inner().session)
}

request! {
    /// The request of a code.
    pub(crate) struct StartPhone {
        /// A Kenyan mobile number.
        phone: String = "phone",
        /// The solution of a captcha, as the ALTCHA widget encodes it.
        captcha: String = "captcha",
    }
}

request! {
    /// A code that the player typed.
    pub(crate) struct VerifyPhone {
        challenge_id: String = "challengeId",
        code: String = "code",
    }
}

payloads!(SentCode);

/// A code that was sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentCode {
    challenge_id: String,
    /// How many digits the code has: 6 or 9.
    digits: u32,
    expires_at: At,
    /// When another code may be requested.
    resend_at: At,
}

impl TryFrom<rpc::StartPhoneSignInResponse> for SentCode {
    type Error = Absent;

    fn try_from(reply: rpc::StartPhoneSignInResponse) -> Result<Self, Absent> {
        Ok(Self {
            challenge_id: reply.challenge_id,
            digits: reply.digits,
            expires_at: At::promised(reply.expires_at, "expires_at")?,
            resend_at: At::promised(reply.resend_at, "resend_at")?,
        })
    }
}
