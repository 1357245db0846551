//! gRPC: each handler decodes, calls one use case and encodes.

mod admin;
mod decode;
mod decode_rooms;
mod encode;
mod encode_rooms;
mod internal;
mod notifications;
mod push;
mod rooms;
mod safety;
mod safety_admin;
mod support;

use mesh::grpc::player_data::PlayerData;
use proto::chat::v1::{
    chat_admin_service_server::ChatAdminServiceServer,
    chat_media_service_server::ChatMediaServiceServer, chat_service_server::ChatServiceServer,
    notification_service_server::NotificationServiceServer,
    player_notification_service_server::PlayerNotificationServiceServer,
    push_service_server::PushServiceServer, safety_admin_service_server::SafetyAdminServiceServer,
    safety_service_server::SafetyServiceServer, support_service_server::SupportServiceServer,
};
use tonic::service::Routes;

use crate::app::{self, Cx};

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(ChatServiceServer::new(rooms::Rooms(cx.clone())))
        .add_service(NotificationServiceServer::new(internal::Internal(cx.clone())))
        .add_service(PlayerNotificationServiceServer::new(notifications::Notifications(cx.clone())))
        .add_service(SupportServiceServer::new(support::Support(cx.clone())))
        .add_service(ChatMediaServiceServer::new(support::ChatMedia(cx.clone())))
        .add_service(PushServiceServer::new(push::Push(cx.clone())))
        .add_service(SafetyServiceServer::new(safety::Safety(cx.clone())))
        .add_service(SafetyAdminServiceServer::new(safety_admin::SafetyAdmin(cx.clone())))
        .add_service(PlayerData::server(cx.for_jobs(), |cx, player, records| {
            Box::pin(async move { Ok(app::list_player_data(&cx, player, records).await?) })
        }))
        .add_service(ChatAdminServiceServer::new(admin::Admin(cx)));
    routes.routes()
}
