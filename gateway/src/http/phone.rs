//! Signing in with a code that is sent to a phone.

use axum::extract::State;
use http::StatusCode;
use proto::{
    Absent,
    auth::v1::{self as rpc, StartPhoneSignInRequest, VerifyPhoneSignInRequest},
};
use serde::Serialize;

use super::{Outcome, auth::Session, body::Body, wire::At};
use crate::{Gateway, envelope::Reply};

const SENT: &str = "A confirmation code was sent to your phone number. Please enter it below.";

/// `POST /auth/phone/start`
pub(crate) async fn start(State(gateway): State<Gateway>, body: Body) -> Outcome<Challenge> {
    let request = body.read(|fields| StartPhoneSignInRequest {
        phone: fields.text("phone"),
        captcha: fields.text("captcha"),
    })?;
    let reply = gateway.upstreams().auth().start_phone_sign_in(request).await?;
    Ok(Reply::new(StatusCode::OK, SENT, reply.into_inner().try_into()?))
}

/// `POST /auth/phone/verify`
pub(crate) async fn verify(State(gateway): State<Gateway>, body: Body) -> Outcome<Session> {
    let request = body.read(|fields| VerifyPhoneSignInRequest {
        challenge_id: fields.text("challengeId"),
        code: fields.text("code"),
    })?;
    let reply = gateway.upstreams().auth().verify_phone_sign_in(request).await?;
    Ok(Reply::ok(reply.into_inner().session.try_into()?))
}

/// The challenge of a code that was sent.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Challenge {
    challenge_id: String,
    expires_at: At,
    resend_at: At,
}

impl TryFrom<rpc::StartPhoneSignInResponse> for Challenge {
    type Error = Absent;

    fn try_from(reply: rpc::StartPhoneSignInResponse) -> Result<Self, Absent> {
        Ok(Self {
            challenge_id: reply.challenge_id,
            expires_at: At::promised(reply.expires_at, "expires_at")?,
            resend_at: At::promised(reply.resend_at, "resend_at")?,
        })
    }
}
