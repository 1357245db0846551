//! Extractors of path segments, queries and the idempotency key.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::request::Parts,
};
use mesh::Fault;
use tonic::Code;

use crate::{Gateway, envelope::Refusal};

/// The one `{…}` of a route's path, percent-decoded.
#[derive(Debug)]
pub(crate) struct Segment(pub(crate) String);

impl FromRequestParts<Gateway> for Segment {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, gateway).await {
            Ok(Path(segment)) => Ok(Self(segment)),
            // Not UTF-8, so no such resource exists.
            Err(_) => Err(Refusal::not_found()),
        }
    }
}

/// The parameters of the query, in order.
#[derive(Debug, Default)]
pub(crate) struct Pairs(Vec<(String, String)>);

impl Pairs {
    /// The first value of a parameter.
    pub(crate) fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

impl FromRequestParts<Gateway> for Pairs {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        match Query::from_request_parts(parts, gateway).await {
            Ok(Query(pairs)) => Ok(Self(pairs)),
            Err(_) => Err(Fault::invalid(Vec::new()).into()),
        }
    }
}

/// `?page` from 0, and `?pageSize`, where 0 or none is the list's default.
#[derive(Debug)]
pub(crate) struct PageQuery {
    pub(crate) page: u32,
    pub(crate) page_size: u32,
}

impl FromRequestParts<Gateway> for PageQuery {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        let pairs = Pairs::from_request_parts(parts, gateway).await?;
        Ok(Self { page: whole(&pairs, "page")?, page_size: whole(&pairs, "pageSize")? })
    }
}

fn whole<T: FromStr + Default>(pairs: &Pairs, name: &str) -> Result<T, Fault> {
    match pairs.first(name) {
        None => Ok(T::default()),
        Some(text) => text
            .parse()
            .map_err(|_| Fault::invalid_field(name, "This should be a whole number from 0.")),
    }
}

/// The `Idempotency-Key` header, which the service validates. Without one a call that is
/// sent again, because its reply was lost, would move money twice.
#[derive(Debug)]
pub(crate) struct RequestId(pub(crate) String);

impl<S: Sync> FromRequestParts<S> for RequestId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let key = parts
            .headers
            .get("idempotency-key")
            .ok_or_else(|| Fault::new(Code::InvalidArgument, "IDEMPOTENCY_KEY_REQUIRED"))?;
        // A key that is not UTF-8 becomes one that the service refuses.
        Ok(Self(String::from_utf8_lossy(key.as_bytes()).into_owned()))
    }
}
