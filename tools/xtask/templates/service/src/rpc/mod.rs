//! The wire: decode, one call into `app`, encode.

mod convert;
mod {{nouns}};

use std::sync::Arc;

use proto::{{name}}::v1::{{name}}_service_server::{{Name}}ServiceServer;
use tonic::service::Routes;

use crate::app::Context;

/// Every RPC of this service.
pub(crate) fn routes(cx: &Arc<Context>) -> Routes {
    Routes::new({{Name}}ServiceServer::new({{nouns}}::{{Nouns}}(Arc::clone(cx))))
}
