//! The two encodings of grpc-web, also for refusals that are made before a call is routed.

use axum::{body::Body, response::Response};
use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT, CONTENT_TYPE},
};
use mesh::Fault;
use tonic::Status;

use crate::language;

/// How the caller reads a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Frames as bytes.
    Binary,
    /// Frames as base64.
    Text,
}

impl Encoding {
    /// The encoding that the caller asks for.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let is_text = headers
            .get(ACCEPT)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.starts_with("application/grpc-web-text"));
        if is_text { Self::Text } else { Self::Binary }
    }

    /// A reply without a body, whose gRPC status is in the headers.
    pub(crate) fn refuse(self, fault: Fault) -> Response {
        let mut response = Status::from(fault.in_language(language::current())).into_http::<Body>();
        response.headers_mut().insert(CONTENT_TYPE, self.content_type());
        response
    }

    pub(super) const fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Binary => "application/grpc-web+proto",
            Self::Text => "application/grpc-web-text+proto",
        })
    }
}
