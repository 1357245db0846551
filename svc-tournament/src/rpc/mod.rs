//! The wire: decode, one call into `app`, encode.

mod convert;
mod tournaments;

use proto::tournament::v1::tournament_service_server::TournamentServiceServer;
use tonic::service::Routes;

use crate::app::Cx;

/// Every RPC of this service.
pub fn routes(cx: Cx) -> Routes {
    Routes::new(TournamentServiceServer::new(tournaments::Tournaments(cx)))
}
