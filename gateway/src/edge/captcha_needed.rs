//! Tells handlers whether a call needs a captcha because of its address.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::{
    Gateway,
    openapi::operation::{Input, Operation},
};

/// Whether the call is refused unless it carries a captcha, because its address had many failed
/// sign-ins or many requests of a link for a new password.
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
