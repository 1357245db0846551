//! What surrounds every handler, one layer a file. From the outside in: trace,
//! metrics, headers, panics; then, by the route's row in the table, compression,
//! address, deadline, identity, rate, admission.

pub mod address;
pub mod auth;
pub mod compression;
pub mod deadline;
pub mod headers;
pub mod metrics;
pub mod panic;
pub mod rate;
pub mod trace;
pub mod window;

use axum::{
    extract::{MatchedPath, Request},
    response::{IntoResponse, Response},
};
use http::Method;
use mesh::Fault;
use tonic::Status;

use crate::{
    envelope::Refusal,
    surface::{Class, Route},
};

/// Says no in the form that the route's callers read.
fn refuse(route: &Route, fault: Fault) -> Response {
    if route.class == Class::Live {
        Status::from(fault).into_http::<axum::body::Body>()
    } else {
        Refusal::from(fault).into_response()
    }
}

/// A client can invent methods, but not time series or names of spans.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

/// The route's pattern, for labels and span names: never the path itself, which
/// may hold a callback's secret, and of which there are infinitely many.
fn label(request: &Request) -> String {
    match request.extensions().get::<MatchedPath>() {
        Some(path) => path.as_str().trim_end_matches('/').to_owned(),
        None if request.uri().path().starts_with("/api") => "/api/{unknown}".to_owned(),
        None => "/{file}".to_owned(),
    }
}
