//! gRPC: each handler decodes, calls one use case and encodes.

mod decode;
mod encode;
mod games;

use proto::games::v1::games_service_server::GamesServiceServer;
use tonic::service::Routes;

use crate::app::Cx;

/// All RPCs of this service.
pub(crate) fn routes(cx: Cx) -> Routes {
    Routes::new(GamesServiceServer::new(games::Games(cx)))
}
