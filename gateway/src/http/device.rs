//! Devices: introducing one, and confirming it before money leaves the wallet by it.

use axum::extract::State;
use http::StatusCode;
use proto::{
    Absent,
    auth::v1::{
        ConfirmDeviceRequest, IntroduceDeviceRequest, StartDeviceConfirmationRequest,
        StartDeviceConfirmationResponse, StartOAuthJoinResponse,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    device_cookie::{self, DeviceToken},
    wire::At,
};
use crate::{Gateway, envelope::Reply, http::client::Client, openapi::schema::payloads};

/// `POST /auth/device`: gives the browser a device token for a solved captcha. The calls of a guest
/// are counted by device from then on, and no longer with those of all others behind the address.
pub(crate) async fn introduce(
    State(gateway): State<Gateway>,
    client: Client,
    Body(body): Body<IntroduceDevice>,
) -> HandlerResult<()> {
    let reply = Reply::new(StatusCode::CREATED, "DEVICE_INTRODUCED", ());
    // Another token would make a stranger of a browser that its player is known on.
    if client.has_device() {
        return Ok(reply);
    }
    let request = IntroduceDeviceRequest { captcha: body.captcha };
    let introduced = gateway.upstreams().auth().introduce_device(request).await?.into_inner();
    let device = device_cookie::of(&introduced.device_token, &gateway.args().public_url);
    Ok(device.iter().fold(reply, Reply::with_cookie))
}

/// `POST /auth/device/start`
pub(crate) async fn start(State(gateway): State<Gateway>) -> HandlerResult<MailedCode> {
    let request = StartDeviceConfirmationRequest {};
    let reply = gateway.upstreams().auth().start_device_confirmation(request).await?;
    Ok(Reply::new(StatusCode::OK, "CODE_MAILED", reply.into_inner().try_into()?))
}

/// `POST /auth/device/confirm`: the next access token lets money leave the wallet.
pub(crate) async fn confirm(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    Body(body): Body<ConfirmDevice>,
) -> HandlerResult<()> {
    let request = ConfirmDeviceRequest { code: body.code, device_token };
    let reply = gateway.upstreams().auth().confirm_device(request).await?.into_inner();
    let device = device_cookie::of(&reply.device_token, &gateway.args().public_url);
    let reply = Reply::new(StatusCode::OK, "DEVICE_CONFIRMED", ());
    Ok(device.iter().fold(reply, Reply::with_cookie))
}

request! {
    /// A browser that has no device token.
    pub(crate) struct IntroduceDevice {
        /// The solution of a captcha, as the ALTCHA widget encodes it.
        captcha: String = "captcha",
    }
}

request! {
    /// The code of a mail.
    pub(crate) struct ConfirmDevice {
        code: String = "code",
    }
}

payloads!(MailedCode);

/// A code that is on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MailedCode {
    /// The address that the code is mailed to, with most letters left out.
    email_hint: String,
    expires_at: At,
    /// When another code may be requested.
    resend_at: At,
}

impl TryFrom<StartDeviceConfirmationResponse> for MailedCode {
    type Error = Absent;

    fn try_from(reply: StartDeviceConfirmationResponse) -> Result<Self, Absent> {
        Ok(Self {
            email_hint: reply.email_hint,
            expires_at: At::promised(reply.expires_at, "expires_at")?,
            resend_at: At::promised(reply.resend_at, "resend_at")?,
        })
    }
}

impl TryFrom<StartOAuthJoinResponse> for MailedCode {
    type Error = Absent;

    fn try_from(reply: StartOAuthJoinResponse) -> Result<Self, Absent> {
        Ok(Self {
            email_hint: reply.email_hint,
            expires_at: At::promised(reply.expires_at, "expires_at")?,
            resend_at: At::promised(reply.resend_at, "resend_at")?,
        })
    }
}
