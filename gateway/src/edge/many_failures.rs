//! What the edge says of a call's address to the handler of sign-ins.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::{
    Gateway,
    openapi::operation::{Input, Operation},
};

/// Whether so many sign-ins from the call's address have failed that one by password needs a
/// captcha.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ManyFailures(pub(crate) bool);

impl FromRequestParts<Gateway> for ManyFailures {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(false)))
    }
}

impl Input for ManyFailures {
    fn describe(_: &mut Operation) {}
}
