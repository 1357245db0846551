//! The wire: decode, one call into `app`, encode.

mod convert;
mod games;

use proto::games::v1::games_service_server::GamesServiceServer;
use tonic::service::Routes;

use crate::app::Cx;

/// Every RPC of this service.
pub fn routes(cx: Cx) -> Routes {
    Routes::new(GamesServiceServer::new(games::Games(cx)))
}
