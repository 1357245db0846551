//! `playon.auth.v1.DirectoryService`.

use mesh::auth::player;
use proto::auth::v1::{
    BatchGetPublicPlayersRequest, BatchGetPublicPlayersResponse, FindByUsernameRequest,
    FindByUsernameResponse, GetOwnPhoneRequest, GetOwnPhoneResponse, GetPayoutPhoneRequest,
    GetPayoutPhoneResponse, directory_service_server::DirectoryService,
};
use proto::timestamp;
use tonic::{Request, Response, Status};

use super::decode;
use crate::{
    app::{self, Cx},
    domain::Username,
};

/// Public profiles.
pub(super) struct Directory(pub(super) Cx);

#[tonic::async_trait]
impl DirectoryService for Directory {
    async fn batch_get_public_players(
        &self,
        request: Request<BatchGetPublicPlayersRequest>,
    ) -> Result<Response<BatchGetPublicPlayersResponse>, Status> {
        player(&request)?;
        let ids = decode::player_ids(&request.into_inner().ids)?;
        let players = app::batch_get_public_players(&self.0, ids).await?;
        Ok(Response::new(BatchGetPublicPlayersResponse {
            players: players.into_iter().map(Into::into).collect(),
        }))
    }

    async fn find_by_username(
        &self,
        request: Request<FindByUsernameRequest>,
    ) -> Result<Response<FindByUsernameResponse>, Status> {
        player(&request)?;
        let username = Username::parse(&request.into_inner().username);
        let id = app::find_by_username(&self.0, username).await?;
        Ok(Response::new(FindByUsernameResponse { id: id.to_string() }))
    }

    async fn get_own_phone(
        &self,
        request: Request<GetOwnPhoneRequest>,
    ) -> Result<Response<GetOwnPhoneResponse>, Status> {
        let phone = app::get_own_phone(&self.0, player(&request)?).await?;
        Ok(Response::new(GetOwnPhoneResponse { phone }))
    }

    async fn get_payout_phone(
        &self,
        request: Request<GetPayoutPhoneRequest>,
    ) -> Result<Response<GetPayoutPhoneResponse>, Status> {
        let caller = player(&request)?;
        let phone = decode::phone(&request.into_inner().phone)?;
        let opens_at = app::get_payout_phone(&self.0, caller, &phone).await?;
        Ok(Response::new(GetPayoutPhoneResponse { opens_at: opens_at.map(timestamp) }))
    }
}
