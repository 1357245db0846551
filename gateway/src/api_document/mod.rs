//! The document: each route with its request, its replies and its refusals.

mod refusals;

use std::{collections::BTreeMap, iter};

use axum::routing::MethodFilter;
use http::Method;
use utoipa::openapi::{
    ComponentsBuilder, Content, HttpMethod, Info, ObjectBuilder, OpenApi, Paths, Ref, Required,
    ResponseBuilder,
    extensions::ExtensionsBuilder,
    path::{OperationBuilder, Parameter, ParameterBuilder, ParameterIn},
    schema::Type,
    security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
};

use crate::{
    openapi::{
        operation::{Operation, envelope},
        schema::Schemas,
    },
    outage::OutageNames,
    routes::{Access, ROUTES, RateClass, Route, Upstream},
};

const JSON: &str = "application/json";
/// The security scheme of players.
const BEARER: &str = "bearer";
/// The component of every error.
const REFUSAL: &str = "Refusal";
const ABOUT: &str = "\
The calls of the web app. A reply is an envelope with the payload; a refusal's payload has a \
stable code, and a text for each field that is wrong. Each reply has the id of its trace in \
`x-trace-id`. An amount is a number of shillings with at most two decimals, an id is a text, a \
time is RFC 3339 in UTC with milliseconds.";

/// The document of all routes.
pub fn document() -> OpenApi {
    let mut paths = Paths::new();
    let mut schemas = Schemas::from([(REFUSAL.to_owned(), refusal().into())]);
    for route in ROUTES {
        let operation = (route.handler)(MethodFilter::GET).operation;
        for (name, schema) in operation.schemas.clone() {
            let known = schemas.insert(name.clone(), schema.clone());
            debug_assert!(known.is_none_or(|known| known == schema), "two types are {name}");
        }
        paths.add_path_operation(route.path, vec![method(&route.method)], build(route, operation));
    }
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("The session's access token."));
    let components = ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .security_scheme(BEARER, SecurityScheme::Http(bearer.build()));
    let mut info = Info::new("PlayOn", "1");
    info.description = Some(ABOUT.to_owned());
    let mut document = OpenApi::new(info, paths);
    document.components = Some(components.build());
    document
}

fn build(route: &Route, operation: Operation) -> utoipa::openapi::path::Operation {
    let refusals = known_refusals(route, &operation);
    let (tag, id) = name(operation.handler);
    let mut built = OperationBuilder::new()
        .tag(tag)
        .operation_id(Some(id))
        .parameters(Some(path_parameters(route.path).chain(operation.parameters)))
        .request_body(operation.body);
    match route.access {
        Access::Bearer => built = built.security(requirement()),
        // A guest may call, too.
        Access::Guest => {
            built = built.security(requirement()).security(SecurityRequirement::default());
        }
        Access::Hook | Access::Public | Access::Session | Access::Anywhere => {}
    }
    for status in statuses(route) {
        let mut reply = ResponseBuilder::new().description("The reply.");
        if let Some(content) = &operation.content {
            reply = reply.content(JSON, content.clone());
        }
        built = built.response(status.to_string(), reply);
    }
    for (status, codes) in refusals {
        built = built.response(status.to_string(), refused(&codes));
    }
    built.build()
}

/// The statuses of a reply that succeeded.
fn statuses(route: &Route) -> &'static [u16] {
    match (route.method.as_str(), route.path) {
        ("GET", "/api/auth/login") => &[200, 201],
        ("POST", "/api/auth/sign-up") => &[201],
        ("GET", "/api/auth/oauth/{provider}/start") => &[302, 303],
        ("GET", "/api/auth/oauth/{provider}/callback") => &[200, 303],
        ("GET", "/media/{shelf}/{owner}/{file}") => &[200, 206, 304],
        _ => &[200],
    }
}

/// The codes that a route refuses with, by status.
fn known_refusals(route: &Route, operation: &Operation) -> BTreeMap<u16, Vec<&'static str>> {
    let mut known = operation.refusals.clone();
    known.extend(refusals::of(route.method.as_str(), route.path));
    if route.access == Access::Bearer {
        known.push((401, "UNAUTHENTICATED"));
    }
    if matches!(route.access, Access::Bearer | Access::Guest) {
        known.push((503, "SESSION_UNVERIFIED"));
    }
    if route.class != RateClass::Probe {
        known.extend([
            (429, "RATE_LIMITED"),
            (429, "DEVICE_NEEDED"),
            (429, "TOO_MANY_CALLS"),
            (503, "OVERLOADED"),
        ]);
    }
    if route.upstream != Upstream::Local {
        let codes = OutageNames::of(Some(route)).codes();
        known.extend(codes.flat_map(|code| [(503, code), (504, code)]));
        known.extend([(500, "INTERNAL"), (504, "DEADLINE_EXCEEDED")]);
    }
    let mut by_status = BTreeMap::<u16, Vec<&str>>::new();
    for (status, code) in known {
        by_status.entry(status).or_default().push(code);
    }
    for codes in by_status.values_mut() {
        codes.sort_unstable();
        codes.dedup();
    }
    by_status
}

/// The envelope of an error.
fn refusal() -> utoipa::openapi::Schema {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let fields = ObjectBuilder::new()
        .additional_properties(Some(text()))
        .description(Some("A text for each field that is wrong, by its name in the request."));
    let payload = ObjectBuilder::new()
        .property("code", text().description(Some("Stable: clients decide by it.")))
        .required("code")
        .property("fields", fields);
    envelope(payload)
}

/// A refusal with one of the codes, which programs find in `x-codes`.
fn refused(codes: &[&'static str]) -> ResponseBuilder {
    let content = Content::new(Some(Ref::from_schema_name(REFUSAL)));
    ResponseBuilder::new()
        .description(codes.join(", "))
        .content(JSON, content)
        .extensions(Some(ExtensionsBuilder::new().add("x-codes", codes).build()))
}

fn requirement() -> SecurityRequirement {
    SecurityRequirement::new(BEARER, iter::empty::<String>())
}

/// `gateway::http::auth::sign_up` has the tag `auth` and the id `authSignUp`.
fn name(handler: &str) -> (String, String) {
    let mut parts = handler.rsplit("::");
    let (function, module) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut id = module.to_owned();
    for word in function.split('_') {
        let mut letters = word.chars();
        id.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        id.push_str(letters.as_str());
    }
    (module.to_owned(), id)
}

/// The `{…}` of a path.
fn path_parameters(path: &str) -> impl Iterator<Item = Parameter> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names.map(|name| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .build()
    })
}

fn method(method: &Method) -> HttpMethod {
    match *method {
        Method::HEAD => HttpMethod::Head,
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::DELETE => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}
