//! A stub of svc-auth's directory.

use proto::auth::v1::{
    BatchGetPublicPlayersRequest, BatchGetPublicPlayersResponse, FindByUsernameRequest,
    FindByUsernameResponse, PublicPlayer, directory_service_server::DirectoryService,
};
use tonic::{Request, Response, Status};

/// An id that no player has.
pub(crate) const UNKNOWN_PLAYER: &str = "00000000-0000-7000-8000-00000000dead";

/// Has every player but [`UNKNOWN_PLAYER`]; usernames are made of the end of the id.
pub(crate) struct Directory;

#[tonic::async_trait]
impl DirectoryService for Directory {
    async fn batch_get_public_players(
        &self,
        request: Request<BatchGetPublicPlayersRequest>,
    ) -> Result<Response<BatchGetPublicPlayersResponse>, Status> {
        let ids = request.into_inner().ids.into_iter().filter(|id| id != UNKNOWN_PLAYER);
        let players = ids
            .map(|id| PublicPlayer {
                username: Some(format!("player{}", &id[id.len() - 4..])),
                id,
                ..PublicPlayer::default()
            })
            .collect();
        Ok(Response::new(BatchGetPublicPlayersResponse { players }))
    }

    async fn find_by_username(
        &self,
        _: Request<FindByUsernameRequest>,
    ) -> Result<Response<FindByUsernameResponse>, Status> {
        Err(Status::unimplemented("svc-wallet does not call this"))
    }
}
