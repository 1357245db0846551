//! Builds the router from the table, and wraps it in the edge.

use std::path::Path;

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, Request, State},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter},
};
use mesh::Fault;
use tonic_web::GrpcWebLayer;
use tower::ServiceExt;

use crate::{
    Gateway, edge,
    envelope::Refusal,
    live,
    statics::WebApp,
    surface::{Class, Route, SURFACE},
};

/// Everything that can be reached.
pub(crate) fn build(gateway: &Gateway, web_root: &Path) -> Router {
    let mut router = Router::new();
    for route in SURFACE {
        let service = mount(gateway, route);
        router =
            router.route(&format!("{}/", route.path), service.clone()).route(route.path, service);
    }
    let outer =
        edge::headers::Headers::new(gateway.args().hsts_max_age, &gateway.args().public_url);
    router
        // Else a method that the contract does not have would be given a page.
        .route(live::OTHERS, axum::routing::any(live::unknown_method))
        .method_not_allowed_fallback(async || Refusal::method_not_allowed())
        .fallback(otherwise)
        .layer(Extension(WebApp::new(web_root)))
        .layer(DefaultBodyLimit::max(gateway.args().body_limit))
        .layer(edge::panic::layer())
        .layer(from_fn_with_state(outer, edge::headers::add))
        .layer(from_fn(edge::metrics::count))
        .layer(from_fn(edge::trace::follow))
        .with_state(gateway.clone())
}

/// What is answered in a full house: probes, which cost next to nothing.
pub(crate) fn full(gateway: &Gateway) -> Router {
    let probes = SURFACE.iter().filter(|route| route.class == Class::Probe);
    let router = probes.fold(Router::new(), |router, route| {
        let service = mount(gateway, route);
        router.route(&format!("{}/", route.path), service.clone()).route(route.path, service)
    });
    router
        .fallback(async || Refusal::from(Fault::unavailable()))
        .layer(from_fn(edge::metrics::count))
        .with_state(gateway.clone())
}

/// One row with all that its columns ask for; the last layer is the outermost.
fn mount(gateway: &Gateway, route: &'static Route) -> MethodRouter<Gateway> {
    let state = || gateway.clone();
    // The table's methods are all of those that axum can route.
    let filter = MethodFilter::try_from(route.method.clone()).unwrap_or(MethodFilter::TRACE);
    let service = (route.handler)(filter)
        .route_layer(from_fn(edge::auth::admit))
        .route_layer(from_fn_with_state(state(), edge::rate::limit))
        .route_layer(from_fn_with_state(state(), edge::auth::identify))
        .route_layer(from_fn_with_state(state(), edge::deadline::keep))
        .route_layer(from_fn_with_state(state(), edge::address::find))
        .route_layer(Extension(route));
    match route.class {
        // Around the refusals, so that they leave as grpc-web too.
        Class::Live => service.route_layer(GrpcWebLayer::new()),
        // Compressed as they are, and read in parts.
        Class::Media => service,
        _ => service.route_layer(edge::compression::layer()),
    }
}

/// What is no row: a wrong call, or a file of the web app.
async fn otherwise(
    State(_): State<Gateway>,
    Extension(web_app): Extension<WebApp>,
    request: Request,
) -> Response {
    let path = request.uri().path();
    let is_ours = ["/api", "/hooks", "/media"].iter().any(|ours| {
        path.strip_prefix(ours).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if is_ours {
        return Refusal::not_found().into_response();
    }
    match web_app.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
