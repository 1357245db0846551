//! The wire: decode, one call into `app`, encode.

mod convert;
mod {{nouns}};

use proto::{{name}}::v1::{{name}}_service_server::{{Name}}ServiceServer;
use tonic::service::Routes;

use crate::app::Cx;

/// Every RPC of this service.
pub fn routes(cx: Cx) -> Routes {
    Routes::new({{Name}}ServiceServer::new({{nouns}}::{{Nouns}}(cx)))
}
