//! `playon.auth.v1.PlayerLookupService`.

use proto::{
    auth::v1::{
        BatchLookUpPlayersRequest, BatchLookUpPlayersResponse, ErasedPlayer,
        ListErasedPlayersRequest, ListErasedPlayersResponse, ListOpenSessionsRequest,
        ListOpenSessionsResponse, player_lookup_service_server::PlayerLookupService,
    },
    timestamp,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::{
    app::{self, Cx},
    domain::Erased,
};

/// Players' names and sessions, for processes of the mesh.
pub(super) struct Lookup(pub(super) Cx);

#[tonic::async_trait]
impl PlayerLookupService for Lookup {
    async fn batch_look_up_players(
        &self,
        request: Request<BatchLookUpPlayersRequest>,
    ) -> Result<Response<BatchLookUpPlayersResponse>, Status> {
        let (usernames, ids) = decode::usernames_and_ids(request.get_ref())?;
        let players = app::batch_look_up_players(&self.0, usernames, ids).await?;
        Ok(Response::new(BatchLookUpPlayersResponse {
            players: players.into_iter().map(Into::into).collect(),
        }))
    }

    async fn list_open_sessions(
        &self,
        request: Request<ListOpenSessionsRequest>,
    ) -> Result<Response<ListOpenSessionsResponse>, Status> {
        let sessions = decode::session_ids(request.get_ref())?;
        let open = app::list_open_sessions(&self.0, &sessions).await?;
        let session_ids = open.iter().map(ToString::to_string).collect();
        Ok(Response::new(ListOpenSessionsResponse { session_ids }))
    }

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
