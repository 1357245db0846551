//! The wire: decode, one call into `app`, encode.

mod convert;
mod rooms;

use proto::chat::v1::chat_service_server::ChatServiceServer;
use tonic::service::Routes;

use crate::app::Cx;

/// Every RPC of this service.
pub fn routes(cx: Cx) -> Routes {
    Routes::new(ChatServiceServer::new(rooms::Rooms(cx)))
}
