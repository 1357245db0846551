//! Extractors of path segments, queries and the idempotency key.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use mesh::Fault;
use tonic::Code;
use utoipa::{
    PartialSchema as _,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::Type,
    },
};

use super::body::{Fields, FromFields};
use crate::{
    Gateway,
    envelope::Refusal,
    field_names::FieldNames,
    openapi::{
        operation::{Input, Operation},
        schema::required,
    },
};

/// The one `{…}` of a route's path, percent-decoded.
#[derive(Debug)]
pub(crate) struct Segment(pub(crate) String);

impl FromRequestParts<Gateway> for Segment {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, gateway).await {
            Ok(Path(segment)) => Ok(Self(segment)),
            // The segment is not UTF-8, so no such resource exists.
            Err(_) => Err(Refusal::not_found()),
        }
    }
}

/// The two `{…}` of a route's path, percent-decoded.
#[derive(Debug)]
pub(crate) struct Segments(pub(crate) String, pub(crate) String);

impl FromRequestParts<Gateway> for Segments {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, gateway).await {
            Ok(Path((first, second))) => Ok(Self(first, second)),
            Err(_) => Err(Refusal::not_found()),
        }
    }
}

/// The parameters of the query.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: FromFields> FromRequestParts<Gateway> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Refusal> {
        let fields = Fields::of_query(pairs(parts)?)
            .map_err(|_| Fault::new(Code::InvalidArgument, "INVALID_ARGUMENT"))?;
        fields.read().map(Self)
    }
}

impl<T: FromFields> Input for Query<T> {
    fn describe(operation: &mut Operation) {
        operation.names = T::NAMES;
        operation.refusals.push((400, "INVALID_ARGUMENT"));
        let RefOr::T(Schema::Object(request)) = T::schema() else { return };
        for (name, schema) in request.properties {
            let is_required = request.required.contains(&name);
            operation.parameters.push(query_parameter(&name, is_required, schema));
        }
    }
}

fn pairs(parts: &Parts) -> Result<Vec<(String, String)>, Fault> {
    let pairs = axum::extract::Query::try_from_uri(&parts.uri);
    pairs
        .map(|axum::extract::Query(pairs)| pairs)
        .map_err(|_| Fault::new(Code::InvalidArgument, "INVALID_ARGUMENT"))
}

fn query_parameter(name: &str, is_required: bool, schema: RefOr<Schema>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(required(is_required))
        .schema(Some(schema))
        .build()
}

/// Adds nothing: the document has the path's segments from the route's row.
impl Input for Segment {
    fn describe(_: &mut Operation) {}
}

impl Input for Segments {
    fn describe(_: &mut Operation) {}
}

/// `?page` from 0, and `?pageSize`, where 0 or none is the list's default.
#[derive(Debug)]
pub(crate) struct PageQuery {
    pub(crate) page: u32,
    pub(crate) page_size: u32,
}

impl FromRequestParts<Gateway> for PageQuery {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Refusal> {
        let pairs = pairs(parts)?;
        Ok(Self { page: whole(&pairs, "page")?, page_size: whole(&pairs, "pageSize")? })
    }
}

impl Input for PageQuery {
    fn describe(operation: &mut Operation) {
        operation.names = FieldNames(&[("page", "page"), ("page_size", "pageSize")]);
        operation.refusals.push((400, "INVALID_ARGUMENT"));
        for name in ["page", "pageSize"] {
            operation.parameters.push(query_parameter(name, false, u32::schema()));
        }
    }
}

fn whole<T: FromStr + Default>(pairs: &[(String, String)], name: &str) -> Result<T, Fault> {
    match pairs.iter().find(|(key, _)| key == name) {
        None => Ok(T::default()),
        Some((_, text)) => {
            text.parse().map_err(|_| Fault::invalid_field(name, "FIELD_NOT_NATURAL"))
        }
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

impl Input for RequestId {
    fn describe(operation: &mut Operation) {
        let key = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(255));
        let header = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(required(true))
            .description(Some("The same key and body have the same reply: money moves once."))
            .schema(Some(key));
        operation.parameters.push(header.build());
        operation.refusals.extend([
            (400, "IDEMPOTENCY_KEY_REQUIRED"),
            (400, "INVALID_IDEMPOTENCY_KEY"),
            (409, "CONFLICT"),
            (422, "IDEMPOTENCY_KEY_REUSED"),
        ]);
    }
}
