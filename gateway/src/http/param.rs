//! What calls carry beside their bodies: path segments, pages, the
//! idempotency key.

use std::{convert::Infallible, str::FromStr};

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::request::Parts,
};
use mesh::Fault;

use crate::{Gateway, envelope::Refusal};

/// The one `{…}` of a route's path, decoded.
#[derive(Debug)]
pub(crate) struct Segment(pub(crate) String);

impl FromRequestParts<Gateway> for Segment {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, gateway).await {
            Ok(Path(segment)) => Ok(Self(segment)),
            // Not even text: nothing can be there.
            Err(_) => Err(Refusal::not_found()),
        }
    }
}

/// The query, as it came.
#[derive(Debug, Default)]
pub(crate) struct Pairs(Vec<(String, String)>);

impl Pairs {
    /// The first value of a name.
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

/// `?page` from 0 and `?pageSize`, of which 0 (or none) is the list's own.
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

/// The client's own name for its attempt: the `Idempotency-Key` header, which is the
/// service's to judge. A client that sends none cannot repeat the call, which then
/// gets a name of ours.
#[derive(Debug)]
pub(crate) struct RequestId(pub(crate) String);

impl FromRequestParts<Gateway> for RequestId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        Ok(Self(match parts.headers.get("idempotency-key") {
            // What is no text becomes no name either, and is refused as such.
            Some(key) => String::from_utf8_lossy(key.as_bytes()).into_owned(),
            None => gateway.chance().uuid_v7(gateway.clock().now()).to_string(),
        }))
    }
}
