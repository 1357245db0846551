//! The security headers of every reply.

use std::time::Duration;

use http::{
    HeaderMap, HeaderName, HeaderValue, Uri,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
        X_CONTENT_TYPE_OPTIONS,
    },
};

use crate::config::GamesOrigin;

/// The default `Cache-Control`; a reply that may be cached sets its own.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
);
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const REFERRER: HeaderValue = HeaderValue::from_static("strict-origin-when-cross-origin");
const OPENER: HeaderValue = HeaderValue::from_static("same-origin-allow-popups");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
pub(crate) const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The content security policy of replies that set none themselves. Scripts and workers come from
/// our files alone. Inline styles are allowed because dialogs (to stop the page behind them from
/// scrolling) and toasts write `<style>` elements; pictures come from operators' content on any
/// host, and as `blob:` from the preview of a file that the player is about to upload; the frames
/// are the games and the trailer player. A game's frame can load no page of another site.
fn policy(games: &GamesOrigin) -> anyhow::Result<HeaderValue> {
    let policy = format!(
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob: https:; font-src 'self'; connect-src 'self'; \
         worker-src 'self'; frame-src {} https://www.youtube-nocookie.com; \
         form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
        games.any()
    );
    Ok(HeaderValue::try_from(policy)?)
}

/// The security headers of this deployment.
#[derive(Debug, Clone)]
pub(crate) struct SecurityHeaders {
    policy: HeaderValue,
    strict_transport: Option<HeaderValue>,
}

impl SecurityHeaders {
    /// Creates the headers, with HSTS of this age; without an age, a year if the public URL is
    /// https.
    pub(crate) fn new(
        hsts_max_age: Option<Duration>,
        public_url: &Uri,
        games: &GamesOrigin,
    ) -> anyhow::Result<Self> {
        let strict_transport = match hsts_max_age.map(|age| age.as_secs()) {
            None if public_url.scheme_str() == Some("https") => Some(A_YEAR),
            None | Some(0) => None,
            Some(age) => HeaderValue::try_from(format!("max-age={age}; includeSubDomains")).ok(),
        };
        Ok(Self { policy: policy(games)?, strict_transport })
    }

    /// Adds the headers to a reply.
    pub(crate) fn add(&self, headers: &mut HeaderMap) {
        // The pages that end an OAuth sign-in and players' media set stricter policies.
        headers.entry(CONTENT_SECURITY_POLICY).or_insert_with(|| self.policy.clone());
        headers.entry(CACHE_CONTROL).or_insert(NO_STORE);
        headers.insert(X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
        headers.entry(REFERRER_POLICY).or_insert(REFERRER);
        headers.insert(PERMISSIONS_POLICY, PERMISSIONS);
        // The sign-in's pop-up must still reach its opener; the pop-up's own pages set other
        // policies.
        headers.entry(OPENER_POLICY).or_insert(OPENER);
        if let Some(strict) = &self.strict_transport {
            headers.insert(STRICT_TRANSPORT_SECURITY, strict.clone());
        }
    }
}
