//! gRPC: each handler decodes, calls one use case and encodes.

mod encode;
mod rooms;

use proto::chat::v1::chat_service_server::ChatServiceServer;
use tonic::service::Routes;

use crate::app::Cx;

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    Routes::new(ChatServiceServer::new(rooms::Rooms(cx)))
}
