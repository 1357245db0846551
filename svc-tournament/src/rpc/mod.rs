//! gRPC: each handler decodes, calls one use case and encodes.

mod admin;
mod awards;
mod decode;
mod encode;
mod scores;
mod tournaments;

use mesh::grpc::player_data::PlayerData;
use proto::tournament::v1::{
    award_admin_service_server::AwardAdminServiceServer, score_service_server::ScoreServiceServer,
    tournament_admin_service_server::TournamentAdminServiceServer,
    tournament_service_server::TournamentServiceServer,
};
use tonic::service::Routes;

use crate::app::{self, Cx};

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(TournamentServiceServer::new(tournaments::Tournaments(cx.clone())))
        .add_service(ScoreServiceServer::new(scores::Scores(cx.clone())))
        .add_service(PlayerData::server(cx.for_jobs(), |cx, player, records| {
            Box::pin(async move { Ok(app::list_player_data(&cx, player, records).await?) })
        }))
        .add_service(AwardAdminServiceServer::new(awards::Awards(cx.clone())))
        .add_service(TournamentAdminServiceServer::new(admin::Admin(cx)));
    routes.routes()
}
