//! gRPC: each handler decodes, calls one use case and encodes.

mod decode;
mod encode;
mod internal;
mod {{nouns}};

use proto::{{name}}::v1::{
    {{name}}_internal_service_server::{{Name}}InternalServiceServer,
    {{name}}_service_server::{{Name}}ServiceServer,
};
use tonic::service::Routes;

use crate::app::Cx;

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service({{Name}}ServiceServer::new({{nouns}}::{{Nouns}}(cx.clone())))
        .add_service({{Name}}InternalServiceServer::new(internal::Internal(cx)));
    routes.routes()
}
