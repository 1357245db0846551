//! Limits how many codes an address may have sent to phones for devices unknown to the phones'
//! owners.
//!
//! svc-auth has a budget for codes to all phones, half of it for phones without an account. One
//! address that could use all of that half would keep everyone else from signing up.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::{
    Gateway,
    http::client::Client,
    openapi::operation::{Input, Operation},
    rate_limiter::{RateKey, RateKind, RateLimiter, RateSubject, RateWindow},
};

/// The window of the call's address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StrangeCodes(RateWindow);

/// A code that was counted before svc-auth was asked for it, so that calls at the same time do
/// not pass together.
#[derive(Debug)]
#[must_use]
pub(crate) struct CountedCode(RateWindow);

impl StrangeCodes {
    /// Counts a code; `None` if the address has used up its limit.
    pub(crate) async fn count(self, limiter: &RateLimiter) -> Option<CountedCode> {
        limiter.count(self.0).await.ok().map(|_| CountedCode(self.0))
    }
}

impl CountedCode {
    /// Takes back a code that was not sent, or was for a device that is known.
    pub(crate) async fn give_back(self, limiter: &RateLimiter) {
        limiter.give_back(self.0).await;
    }
}

impl FromRequestParts<Gateway> for StrangeCodes {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        let client = Client::from_request_parts(parts, gateway).await?;
        let subject = RateSubject::Network(client.network());
        let key = RateKey { kind: RateKind::StrangeCode, subject };
        Ok(Self(RateWindow { key, rate: gateway.rates().strange_code }))
    }
}

impl Input for StrangeCodes {
    fn describe(_: &mut Operation) {}
}
