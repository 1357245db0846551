//! `playon.auth.v1.ErasureService`.

use proto::{
    auth::v1::{
        ErasedPlayer, ListErasedPlayersRequest, ListErasedPlayersResponse,
        erasure_service_server::ErasureService,
    },
    timestamp,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::{
    app::{self, Cx},
    domain::Erased,
};

/// The accounts that were erased, for services that store data about players.
pub(super) struct Erasures(pub(super) Cx);

#[tonic::async_trait]
impl ErasureService for Erasures {
    async fn list_erased_players(
        &self,
        request: Request<ListErasedPlayersRequest>,
    ) -> Result<Response<ListErasedPlayersResponse>, Status> {
        let after = decode::erased_player(request.into_inner().after)?;
        let erased = app::list_erased_players(&self.0, after).await?;
        let wire = |erased: Erased| ErasedPlayer {
            id: erased.player.to_string(),
            erased_at: Some(timestamp(erased.at)),
        };
        let players = erased.into_iter().map(wire).collect();
        Ok(Response::new(ListErasedPlayersResponse { players }))
    }
}
