//! The base64 of grpc-web-text, around tonic-web's binary replies.
//!
//! tonic-web writes base64 as well, but with a buffer of 8 KiB that it holds for as long as a
//! stream lives, and never uses.

use axum::{body::Body, extract::Request, middleware::Next, response::Response};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http_body_util::BodyExt as _;

use super::Encoding;

/// Lets the handler reply in binary to a caller that asks for text, and encodes each frame of the
/// reply.
pub(crate) async fn encode_text(mut request: Request, next: Next) -> Response {
    let asked = Encoding::of(request.headers());
    if asked == Encoding::Binary {
        return next.run(request).await;
    }
    request.headers_mut().insert(ACCEPT, Encoding::Binary.content_type());
    let mut response = next.run(request).await;
    if response.headers().get(CONTENT_TYPE) != Some(&Encoding::Binary.content_type()) {
        return response;
    }
    response.headers_mut().insert(CONTENT_TYPE, asked.content_type());
    let encode = |data: Bytes| Bytes::from(STANDARD.encode(data));
    response.map(|body| Body::new(body.map_frame(move |frame| frame.map_data(encode))))
}
