//! Resetting and changing passwords.

use axum::extract::State;
use http::StatusCode;
use proto::auth::v1::{
    ChangePasswordRequest, ConfirmPasswordResetRequest, RequestPasswordResetRequest,
};

use super::{
    HandlerResult,
    body::{Body, request},
    device_cookie::{self, DeviceToken},
};
use crate::{Gateway, envelope::Reply, http::password_turn::PasswordTurn};

/// `POST /auth/password/reset`: the same reply whether or not there is an account.
pub(crate) async fn request_reset(
    State(gateway): State<Gateway>,
    Body(body): Body<RequestReset>,
) -> HandlerResult<()> {
    let request = RequestPasswordResetRequest { email: body.email };
    gateway.upstreams().auth().request_password_reset(request).await?;
    Ok(Reply::new(StatusCode::OK, "PASSWORD_RESET_SENT", ()))
}

/// `POST /auth/password/reset/confirm`: the browser is one of the player's devices from now on.
pub(crate) async fn confirm_reset(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    _turn: PasswordTurn,
    Body(body): Body<ConfirmReset>,
) -> HandlerResult<()> {
    let ConfirmReset { token, new_password } = body;
    let request = ConfirmPasswordResetRequest { token, new_password, device_token };
    let reply = gateway.upstreams().auth().confirm_password_reset(request).await?.into_inner();
    let device = device_cookie::of(&reply.device_token, &gateway.args().public_url);
    Ok(device.iter().fold(Reply::ok(()), Reply::with_cookie))
}

/// `PUT /auth/password`
pub(crate) async fn change(
    State(gateway): State<Gateway>,
    DeviceToken(device_token): DeviceToken,
    _turn: PasswordTurn,
    Body(body): Body<ChangePassword>,
) -> HandlerResult<()> {
    let ChangePassword { email, old_password, new_password } = body;
    let request = ChangePasswordRequest { email, old_password, new_password, device_token };
    gateway.upstreams().auth().change_password(request).await?;
    Ok(Reply::new(StatusCode::OK, "PASSWORD_UPDATED", ()))
}

request! {
    /// The request of a mail with a reset link.
    pub(crate) struct RequestReset {
        email: String = "email",
    }
}

request! {
    /// A new password, set with the token of a mailed link.
    pub(crate) struct ConfirmReset {
        token: String = "token",
        #[schema(min_length = 6, max_length = 128)]
        new_password: String = "newPassword",
    }
}

request! {
    /// A new password of a player who knows the old one.
    pub(crate) struct ChangePassword {
        email: String = "email",
        old_password: String = "oldPassword",
        #[schema(min_length = 6, max_length = 128)]
        new_password: String = "newPassword",
    }
}
