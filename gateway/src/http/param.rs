//! What calls carry beside their bodies: path segments, pages, the
//! idempotency key.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::request::Parts,
};
use mesh::Fault;

use crate::{Gateway, envelope::Refusal};

/// Longest key that a client may name its attempt by.
const KEY_MAX_LENGTH: usize = 255;

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

/// `?page` from 0 and `?pageSize`, of which 0 (or none) is the list's own.
#[derive(Debug)]
pub(crate) struct PageQuery {
    pub(crate) page: u32,
    pub(crate) page_size: u32,
}

impl FromRequestParts<Gateway> for PageQuery {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        let query = Query::<Vec<(String, String)>>::from_request_parts(parts, gateway).await;
        let Ok(Query(pairs)) = query else {
            return Err(Fault::invalid(Vec::new()).into());
        };
        Ok(Self { page: whole(&pairs, "page")?, page_size: whole(&pairs, "pageSize")? })
    }
}

fn whole<T: FromStr + Default>(pairs: &[(String, String)], name: &str) -> Result<T, Fault> {
    match pairs.iter().find(|(key, _)| key == name) {
        None => Ok(T::default()),
        Some((_, text)) => text
            .parse()
            .map_err(|_| Fault::invalid_field(name, "This should be a whole number from 0.")),
    }
}

/// The client's own name for its attempt: the `Idempotency-Key` header. A client
/// that sends none cannot repeat the call, which then gets a name of ours.
#[derive(Debug)]
pub(crate) struct RequestId(pub(crate) String);

impl FromRequestParts<Gateway> for RequestId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        let Some(value) = parts.headers.get("idempotency-key") else {
            let now = gateway.clock().now();
            return Ok(Self(gateway.chance().uuid_v7(now).to_string()));
        };
        match value.to_str().map(str::trim) {
            Ok(key) if (1..=KEY_MAX_LENGTH).contains(&key.len()) => Ok(Self(key.to_owned())),
            _ => Err(Fault::invalid_field(
                "Idempotency-Key",
                "The key should have 1 to 255 plain characters.",
            )
            .into()),
        }
    }
}
