//! What the edge says of a call's address to handlers that can ask for a captcha.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::{
    Gateway,
    openapi::operation::{Input, Operation},
};

/// Whether the call is refused unless it carries a captcha: after many sign-ins of its address that
/// failed, or many requests of a link for a new password.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaptchaNeeded(pub(crate) bool);

impl FromRequestParts<Gateway> for CaptchaNeeded {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(false)))
    }
}

impl Input for CaptchaNeeded {
    fn describe(_: &mut Operation) {}
}
