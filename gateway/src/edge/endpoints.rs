//! The metrics and limits of each route and method, resolved once when the gateway is
//! built.

use std::{collections::HashMap, sync::OnceLock};

use axum::extract::{MatchedPath, Request};
use http::{Method, StatusCode};
use metrics::{Counter, Histogram, counter, histogram};
use proto::Priority;
use tokio::time::Instant;

use crate::{
    field_names::FieldNames,
    live,
    outage::OutageNames,
    routes::{Access, ROUTES, RateClass, Route, Upstream},
};

/// The methods that labels and span names show, in the order of [`method_index`]. A client
/// can invent methods, but neither time series nor span names.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "OTHER"];
/// The label of unknown paths under `/api`.
const UNKNOWN: &str = "/api/{unknown}";
/// The label of every other path without a row: mostly files of the web app.
const FILE: &str = "/{file}";
/// Most different statuses that a route replies with; the contract has 23.
const STATUSES: usize = 32;

/// All endpoints.
pub(super) struct Endpoints {
    /// The endpoints by their route's path as axum matches it, with and without the trailing slash.
    by_path: HashMap<String, OfPath>,
    unknown: OfPath,
    file: OfPath,
}

/// The endpoints of one path, by [`method_index`].
type OfPath = [Endpoint; METHODS.len()];

/// A route and a method.
pub(super) struct Endpoint {
    pub(super) access: Access,
    pub(super) class: RateClass,
    /// Whether pages of other origins may call the endpoint.
    pub(super) cross_origin: bool,
    /// The service that answers.
    pub(super) upstream: Upstream,
    /// How early its calls are shed under load.
    pub(super) priority: Priority,
    /// The names that callers read while the route's service is out of reach.
    pub(super) outages: OutageNames,
    /// The names of the request's fields.
    pub(super) fields: FieldNames,
    /// `{method} {path}` with the route's pattern, never the path as it was called, which may
    /// contain a callback's secret and has endless variants.
    pub(super) span_name: String,
    pub(super) method: &'static str,
    /// The route's pattern.
    pub(super) path: &'static str,
    duration: OnceLock<Histogram>,
    /// The reply counters by status, filled from the front.
    by_status: [OnceLock<(StatusCode, Counter)>; STATUSES],
}

impl Endpoints {
    pub(super) fn new() -> Self {
        let mut by_path = HashMap::new();
        for path in ROUTES.iter().map(|route| route.path).chain([live::UNKNOWN_METHODS]) {
            for matched in [path.to_owned(), format!("{path}/")] {
                by_path.entry(matched).or_insert_with(|| of_path(path));
            }
        }
        Self { by_path, unknown: of_path(UNKNOWN), file: of_path(FILE) }
    }

    /// The endpoint of a call that was routed.
    pub(super) fn of(&self, request: &Request) -> &Endpoint {
        let matched = request.extensions().get::<MatchedPath>();
        let of_path = match matched.and_then(|path| self.by_path.get(path.as_str())) {
            Some(of_path) => of_path,
            None if request.uri().path().starts_with("/api") => &self.unknown,
            None => &self.file,
        };
        &of_path[method_index(request.method())]
    }
}

fn of_path(path: &'static str) -> OfPath {
    METHODS.map(|method| Endpoint::new(method, path))
}

fn method_index(method: &Method) -> usize {
    let name = method.as_str();
    METHODS.iter().position(|known| *known == name).unwrap_or(METHODS.len() - 1)
}

impl Endpoint {
    fn new(method: &'static str, path: &'static str) -> Self {
        let route = find(method, path);
        Self {
            access: route.map_or(Access::Public, |route| route.access),
            class: route.map_or(RateClass::Static, |route| route.class),
            cross_origin: ROUTES.iter().any(|route| {
                route.path == path && matches!(route.access, Access::Session | Access::Anywhere)
            }),
            upstream: route.map_or(Upstream::Local, |route| route.upstream),
            priority: route.map_or(Priority::Low, Route::priority),
            outages: OutageNames::of(route),
            fields: route.map_or_else(FieldNames::default, Route::field_names),
            span_name: format!("{method} {path}"),
            method,
            path,
            duration: OnceLock::new(),
            by_status: [const { OnceLock::new() }; STATUSES],
        }
    }

    /// Records a reply in the metrics. A live stream counts when it is opened.
    pub(super) fn record(&self, status: StatusCode, started: Instant) {
        let (method, route) = (self.method, self.path);
        let duration = self.duration.get_or_init(|| {
            histogram!("http_server_request_duration_seconds", "method" => method, "route" => route)
        });
        duration.record(started.elapsed().as_secs_f64());
        let count = || {
            let status = status.as_u16().to_string();
            let labels = [("method", method.into()), ("route", route.into()), ("status", status)];
            counter!("http_server_requests_total", &labels)
        };
        let mut slots = self.by_status.iter().map(|slot| slot.get_or_init(|| (status, count())));
        match slots.find(|(known, _)| *known == status) {
            Some((_, counter)) => counter.increment(1),
            None => count().increment(1),
        }
    }
}

/// The row of a method and a path. `GET` rows serve `HEAD`, unless `HEAD` has a row of its own.
fn find(method: &str, path: &str) -> Option<&'static Route> {
    let row = |method: &str| ROUTES.iter().find(|row| row.path == path && row.method == *method);
    row(method).or_else(|| if method == "HEAD" { row("GET") } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_the_endpoint_of_its_path_and_method() {
        let endpoints = Endpoints::new();
        for route in ROUTES {
            for path in [route.path.to_owned(), format!("{}/", route.path)] {
                let endpoint = &endpoints.by_path[&path][method_index(&route.method)];
                assert_eq!((endpoint.access, endpoint.class), (route.access, route.class));
                assert_eq!(endpoint.span_name, format!("{} {}", route.method, route.path));
            }
        }
    }

    #[test]
    fn an_invented_method_is_no_label() {
        let brew = Method::from_bytes(b"BREW").unwrap();
        assert_eq!(METHODS[method_index(&brew)], "OTHER");
        assert_eq!(METHODS[method_index(&Method::DELETE)], "DELETE");
    }
}
