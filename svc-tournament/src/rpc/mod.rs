//! gRPC: each handler decodes, calls one use case and encodes.

mod decode;
mod encode;
mod tournaments;

use proto::tournament::v1::tournament_service_server::TournamentServiceServer;
use tonic::service::Routes;

use crate::app::Cx;

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    Routes::new(TournamentServiceServer::new(tournaments::Tournaments(cx)))
}
