//! gRPC: each handler decodes, calls one use case and encodes.

mod admin;
mod decode;
mod encode;
mod games;
mod play;
mod runs;

use mesh::grpc::player_data::PlayerData;
use proto::games::v1::{
    catalogue_admin_service_server::CatalogueAdminServiceServer,
    games_service_server::GamesServiceServer, play_service_server::PlayServiceServer,
    run_admin_service_server::RunAdminServiceServer, run_service_server::RunServiceServer,
};
use tonic::service::Routes;

use crate::app::{self, Cx};

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(GamesServiceServer::new(games::Games(cx.clone())))
        .add_service(PlayServiceServer::new(play::Play(cx.clone())))
        .add_service(RunServiceServer::new(runs::Runs(cx.clone())))
        .add_service(RunAdminServiceServer::new(runs::RunAdmin(cx.clone())))
        .add_service(PlayerData::server(cx.for_jobs(), |cx, player, records| {
            Box::pin(async move { Ok(app::list_player_data(&cx, player, records).await?) })
        }))
        .add_service(CatalogueAdminServiceServer::new(admin::Admin(cx)));
    routes.routes()
}
