//! `playon.auth.v1.PlayerLookupService`.

use proto::auth::v1::{
    BatchLookUpPlayersRequest, BatchLookUpPlayersResponse, ListOpenSessionsRequest,
    ListOpenSessionsResponse, player_lookup_service_server::PlayerLookupService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

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
}
