//! Compresses long envelopes, since players pay for their data. The web app's files are
//! compressed when they are built, media are compressed already, and a live stream must
//! not wait in a buffer.

use std::convert::Infallible;

use axum::{body::Body, extract::Request, response::Response};
use http::{HeaderMap, HeaderValue, header::ACCEPT_ENCODING};
use http_body::Body as _;
use tower::{Layer as _, ServiceExt as _, service_fn};
use tower_http::compression::{
    CompressionLayer,
    predicate::{DefaultPredicate, NotForContentType, Predicate as _},
};

use super::endpoints::Endpoint;
use crate::routes::RateClass;

/// Shortest reply that is compressed, in bytes: a shorter one fits into one packet as it is.
const LEAST: u64 = 1_024;

/// The encodings that the caller accepts, if the endpoint's replies may be compressed.
pub(super) fn accepted(endpoint: &Endpoint, headers: &HeaderMap) -> Option<HeaderValue> {
    match endpoint.class {
        RateClass::Media | RateClass::Live | RateClass::Static | RateClass::Probe => None,
        _ => headers.get(ACCEPT_ENCODING).cloned(),
    }
}

/// Compresses a long reply in an encoding that its caller accepts.
pub(super) async fn compress(accepted: Option<HeaderValue>, response: Response) -> Response {
    let Some(accepted) = accepted.filter(|_| response.body().size_hint().lower() > LEAST) else {
        return response;
    };
    let mut request = Request::new(Body::empty());
    request.headers_mut().insert(ACCEPT_ENCODING, accepted);
    let mut response = Some(response);
    let service = service_fn(move |_| {
        let response = response.take().unwrap_or_default();
        async { Ok::<_, Infallible>(response) }
    });
    // A PDF's content is deflated already.
    let worth = DefaultPredicate::new().and(NotForContentType::const_new("application/pdf"));
    match CompressionLayer::new().compress_when(worth).layer(service).oneshot(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}
