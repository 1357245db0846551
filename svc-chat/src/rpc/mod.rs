//! gRPC: each handler decodes, calls one use case and encodes.

mod admin;
mod decode;
mod decode_rooms;
mod encode;
mod encode_rooms;
mod internal;
mod notifications;
mod rooms;

use proto::chat::v1::{
    chat_admin_service_server::ChatAdminServiceServer, chat_service_server::ChatServiceServer,
    notification_service_server::NotificationServiceServer,
    player_notification_service_server::PlayerNotificationServiceServer,
};
use tonic::service::Routes;

use crate::app::Cx;

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(ChatServiceServer::new(rooms::Rooms(cx.clone())))
        .add_service(NotificationServiceServer::new(internal::Internal(cx.clone())))
        .add_service(PlayerNotificationServiceServer::new(notifications::Notifications(cx.clone())))
        .add_service(ChatAdminServiceServer::new(admin::Admin(cx)));
    routes.routes()
}
