//! Builds the router from the route table, and wraps it in the edge.

use axum::{
    Router,
    extract::{Request, State},
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter},
};
use tonic_web::GrpcWebLayer;

use crate::{
    Gateway,
    edge::EdgeLayer,
    envelope::Refusal,
    live,
    routes::{ROUTES, RateClass, Route},
};

/// Everything that the gateway serves.
pub(crate) fn build(gateway: &Gateway) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let service = mount(route);
        router =
            router.route(&format!("{}/", route.path), service.clone()).route(route.path, service);
    }
    router
        // Without this row an unknown method of the service would be answered with a page.
        .route(live::UNKNOWN_METHODS, axum::routing::any(live::unknown_method))
        .method_not_allowed_fallback(async || Refusal::method_not_allowed())
        .fallback(serve_file)
        .layer(EdgeLayer::new(gateway))
        .with_state(gateway.clone())
}

fn mount(route: &Route) -> MethodRouter<Gateway> {
    // The table has no method that axum cannot route.
    let filter = MethodFilter::try_from(route.method.clone()).unwrap_or(MethodFilter::TRACE);
    let service = (route.handler)(filter).router;
    match route.class {
        RateClass::Live => service
            .route_layer(GrpcWebLayer::new())
            .route_layer(middleware::from_fn(live::encode_text)),
        _ => service,
    }
}

/// Serves a path without a row: a file of the web app, or a 404 envelope.
async fn serve_file(State(gateway): State<Gateway>, request: Request) -> Response {
    let path = request.uri().path();
    let is_reserved = ["/api", "/hooks", "/media"].iter().any(|reserved| {
        path.strip_prefix(reserved).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if is_reserved {
        return Refusal::not_found().into_response();
    }
    gateway.web_app().respond(request.method(), path, request.headers())
}
