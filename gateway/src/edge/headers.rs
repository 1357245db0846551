//! What every reply tells the browser to be strict about.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{
    HeaderName, HeaderValue, Uri,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
        X_CONTENT_TYPE_OPTIONS,
    },
};

/// For everything that has none of its own. Scripts and workers are files of ours alone.
/// Styles may be inline because dialogs (while the page behind them must not scroll) and
/// toasts write `<style>` elements; pictures come from operators' content anywhere; the
/// frame is the trailer player.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: https:; font-src 'self'; connect-src 'self'; \
     worker-src 'self'; frame-src https://www.youtube-nocookie.com; \
     form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
);
/// What may be kept says so itself.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
);
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
pub(crate) const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The headers of this deployment.
#[derive(Debug, Clone)]
pub struct Headers {
    strict_transport: Option<HeaderValue>,
}

impl Headers {
    /// With https demanded for so long, or as its address suggests.
    pub fn new(hsts_max_age: Option<Duration>, public_url: &Uri) -> Self {
        let strict_transport = match hsts_max_age.map(|age| age.as_secs()) {
            None if public_url.scheme_str() == Some("https") => Some(A_YEAR),
            None | Some(0) => None,
            Some(age) => HeaderValue::try_from(format!("max-age={age}; includeSubDomains")).ok(),
        };
        Self { strict_transport }
    }
}

/// Adds them to a reply, whatever it is.
pub async fn add(State(own): State<Headers>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    // The pages that end a sign-in elsewhere and players' media have stricter ones.
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(POLICY);
    headers.entry(CACHE_CONTROL).or_insert(NO_STORE);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers
        .entry(REFERRER_POLICY)
        .or_insert(HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert(PERMISSIONS_POLICY, PERMISSIONS);
    // The sign-in's pop-up must still reach its opener; its own pages say more.
    headers.entry(OPENER_POLICY).or_insert(HeaderValue::from_static("same-origin-allow-popups"));
    if let Some(strict) = own.strict_transport {
        headers.insert(STRICT_TRANSPORT_SECURITY, strict);
    }
    response
}
