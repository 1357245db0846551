//! Describes a handler in the document, from its signature.

use std::any::type_name;

use axum::{
    Extension, Json,
    extract::{Path, Request, State, rejection::PathRejection},
    handler::Handler,
    response::Response,
    routing::{MethodFilter, MethodRouter},
};
use http::{HeaderMap, Method, StatusCode};
use utoipa::openapi::{
    Content, ObjectBuilder, RefOr, Schema,
    path::Parameter,
    request_body::RequestBody,
    schema::{KnownFormat, SchemaFormat, Type},
};

use super::schema::{Payload, Schemas};
use crate::{
    Gateway,
    envelope::{Refusal, Reply},
    field_names::FieldNames,
};

/// A handler with its description.
pub struct Mounted {
    pub(crate) router: MethodRouter<Gateway>,
    pub(crate) operation: Operation,
}

/// Routes a method to a handler.
pub(crate) fn on<H, T>(method: MethodFilter, handler: H) -> Mounted
where
    H: Handler<T, Gateway> + Describe<T>,
    T: 'static,
{
    Mounted { router: axum::routing::on(method, handler), operation: H::describe() }
}

/// The parameters, the body and the replies of a handler.
#[derive(Default)]
pub(crate) struct Operation {
    /// The path of its function.
    pub(crate) handler: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<RequestBody>,
    /// The content of a successful reply; `None` if the reply has no content, or no JSON.
    pub(crate) content: Option<Content>,
    /// HTTP statuses and codes that its extractors refuse with.
    pub(crate) refusals: Vec<(u16, &'static str)>,
    pub(crate) schemas: Schemas,
    pub(crate) names: FieldNames,
}

/// A handler. `T` lists its extractors, as axum's [`Handler`] does.
pub(crate) trait Describe<T> {
    fn describe() -> Operation;
}

/// An extractor.
pub(crate) trait Input {
    /// Adds what the extractor reads of a request.
    fn describe(operation: &mut Operation);
}

/// The return type of a handler.
pub(crate) trait Output {
    /// Adds what a successful reply contains.
    fn describe(operation: &mut Operation);
}

macro_rules! describe {
    ($($input:ident)*) => {
        impl<F, Fut, M, $($input,)*> Describe<(M, $($input,)*)> for F
        where
            F: FnOnce($($input),*) -> Fut,
            Fut: Future,
            Fut::Output: Output,
            $($input: Input,)*
        {
            fn describe() -> Operation {
                let mut operation = Operation { handler: type_name::<F>(), ..Operation::default() };
                $($input::describe(&mut operation);)*
                Fut::Output::describe(&mut operation);
                operation
            }
        }
    };
}

describe!();
describe!(A);
describe!(A B);
describe!(A B C);
describe!(A B C D);
describe!(A B C D E);

/// Extractors that the document leaves out: they read no part of the request that the caller
/// chooses for this call.
macro_rules! undescribed {
    ($($name:ty),* $(,)?) => {$(
        impl Input for $name {
            fn describe(_: &mut Operation) {}
        }
    )*};
}

undescribed!(
    State<Gateway>,
    HeaderMap,
    Method,
    Request,
    Result<Path<(String, String, String)>, PathRejection>,
);

impl<T> Input for Extension<T> {
    fn describe(_: &mut Operation) {}
}

impl<T: Output> Output for Result<T, Refusal> {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}

impl<T: Payload> Output for Reply<T> {
    fn describe(operation: &mut Operation) {
        let payload = T::describe(&mut operation.schemas);
        operation.content = Some(Content::new(Some(envelope(payload))));
    }
}

impl<T: Payload> Output for Json<T> {
    fn describe(operation: &mut Operation) {
        let content = T::describe(&mut operation.schemas);
        operation.content = Some(Content::new(Some(content)));
    }
}

impl Output for Response {
    fn describe(_: &mut Operation) {}
}

impl Output for StatusCode {
    fn describe(_: &mut Operation) {}
}

/// `{"statusCode", "statusMessage", "payload"}`
pub(crate) fn envelope(payload: impl Into<RefOr<Schema>>) -> Schema {
    let status = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .description(Some("The HTTP status."));
    let message = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("Can be shown to a player."));
    ObjectBuilder::new()
        .property("statusCode", status)
        .property("statusMessage", message)
        .property("payload", payload)
        .required("statusCode")
        .required("statusMessage")
        .required("payload")
        .into()
}
