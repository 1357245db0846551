//! Resetting and changing passwords.

use axum::extract::State;
use http::StatusCode;
use proto::auth::v1::{
    ChangePasswordRequest, ConfirmPasswordResetRequest, RequestPasswordResetRequest,
};

use super::{Outcome, body::Body};
use crate::{Gateway, envelope::Reply};

/// `POST /auth/password/reset`: the same reply whether or not there is an account.
pub(crate) async fn request_reset(State(gateway): State<Gateway>, body: Body) -> Outcome<()> {
    let request =
        body.read(|fields| RequestPasswordResetRequest { email: fields.text("email") })?;
    gateway.upstreams().auth().request_password_reset(request).await?;
    Ok(Reply::new(StatusCode::OK, "Password reset email has been sent successfully.", ()))
}

/// `POST /auth/password/reset/confirm`
pub(crate) async fn confirm_reset(State(gateway): State<Gateway>, body: Body) -> Outcome<()> {
    let request = body.read(|fields| ConfirmPasswordResetRequest {
        token: fields.text("token"),
        new_password: fields.text("newPassword"),
    })?;
    gateway.upstreams().auth().confirm_password_reset(request).await?;
    Ok(Reply::ok(()))
}

/// `PUT /auth/password`
pub(crate) async fn change(State(gateway): State<Gateway>, body: Body) -> Outcome<()> {
    let request = body.read(|fields| ChangePasswordRequest {
        email: fields.text("email"),
        old_password: fields.text("oldPassword"),
        new_password: fields.text("newPassword"),
    })?;
    gateway.upstreams().auth().change_password(request).await?;
    Ok(Reply::new(StatusCode::OK, "Password has been updated successfully.", ()))
}
