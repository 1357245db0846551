//! The cookie by which svc-auth knows the browser as one of a player's devices. No page can read it.
//! It signs no one in: a player who is known on a device has limits there that strangers cannot use
//! up, and may have confirmed it for money to leave the wallet.
//!
//! No other host can set it (`__Host-`, RFC 6265bis): a page on a subdomain, such as a game, could
//! otherwise plant the cookie of its author's device, which the player would then confirm.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, Uri, request::Parts};

use super::cookies::{self, is_secure};
use crate::{
    Gateway,
    openapi::operation::{Input, Operation},
};

/// The path that the prefix `__Host-` demands.
const PATH: &str = "/";
/// The longest that browsers keep a cookie (RFC 6265bis), and svc-auth a device.
const MAX_AGE: Duration = Duration::days(400);

/// The token of a request's device; empty without one.
#[derive(Debug)]
pub(crate) struct DeviceToken(pub(crate) String);

impl FromRequestParts<Gateway> for DeviceToken {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        gateway: &Gateway,
    ) -> Result<Self, Self::Rejection> {
        let token = find(&parts.headers, &gateway.args().public_url);
        Ok(Self(token.unwrap_or_default()))
    }
}

impl Input for DeviceToken {
    fn describe(_: &mut Operation) {}
}

/// The device token of a request's cookie.
pub(crate) fn find(headers: &HeaderMap, origin: &Uri) -> Option<String> {
    cookies::find(headers, name(origin))
}

/// The cookie of a device's token; `None` if svc-auth gave none.
pub(super) fn of(token: &str, origin: &Uri) -> Option<Cookie<'static>> {
    let cookie = Cookie::build((name(origin), token.to_owned()))
        .path(PATH)
        .http_only(true)
        // Strict: a page of another site spends none of the player's limits.
        .same_site(SameSite::Strict)
        .secure(is_secure(origin))
        .max_age(MAX_AGE);
    (!token.is_empty()).then(|| cookie.build())
}

/// Removes the cookie.
pub(super) fn removal(origin: &Uri) -> Cookie<'static> {
    let cookie = Cookie::build((name(origin), "")).path(PATH).http_only(true);
    cookie.same_site(SameSite::Strict).secure(is_secure(origin)).max_age(Duration::ZERO).build()
}

/// The cookie's name. With the prefix the browser accepts the cookie over https alone, from this
/// host.
fn name(origin: &Uri) -> &'static str {
    if is_secure(origin) { "__Host-playon-device" } else { "playon-device" }
}
