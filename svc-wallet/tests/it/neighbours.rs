//! svc-auth, as far as the wallet asks it.

use proto::auth::v1::{
    BatchGetPublicPlayersRequest, BatchGetPublicPlayersResponse, FindByUsernameRequest,
    FindByUsernameResponse, PublicPlayer, directory_service_server::DirectoryService,
};
use tonic::{Request, Response, Status};

/// An id that nobody has.
pub(crate) const NOBODY: &str = "00000000-0000-7000-8000-00000000dead";

/// Knows every player but [`NOBODY`], and calls them by the end of their id.
pub(crate) struct Everybody;

#[tonic::async_trait]
impl DirectoryService for Everybody {
    async fn batch_get_public_players(
        &self,
        request: Request<BatchGetPublicPlayersRequest>,
    ) -> Result<Response<BatchGetPublicPlayersResponse>, Status> {
        let ids = request.into_inner().ids.into_iter().filter(|id| id != NOBODY);
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
        Err(Status::unimplemented("the wallet does not ask this"))
    }
}
