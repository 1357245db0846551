//! `playon.auth.v1.PlayerService`.

use mesh::auth::player;
use proto::auth::v1::{
    BatchGetPublicPlayersRequest, BatchGetPublicPlayersResponse, FindByUsernameRequest,
    FindByUsernameResponse, GetProfileRequest, GetProfileResponse, UpdateProfileRequest,
    UpdateProfileResponse, player_service_server::PlayerService,
};
use tonic::{Request, Response, Status};

use super::convert;
use crate::{
    app::{self, Cx},
    domain::Username,
};

/// The person behind the account.
pub(crate) struct Players(Cx);

impl Players {
    pub(crate) fn new(cx: Cx) -> Self {
        Self(cx)
    }
}

#[tonic::async_trait]
impl PlayerService for Players {
    async fn get_profile(
        &self,
        request: Request<GetProfileRequest>,
    ) -> Result<Response<GetProfileResponse>, Status> {
        let caller = player(&request)?;
        let own = app::get_profile(&self.0, caller).await?;
        Ok(Response::new(own.into()))
    }

    async fn update_profile(
        &self,
        request: Request<UpdateProfileRequest>,
    ) -> Result<Response<UpdateProfileResponse>, Status> {
        let caller = player(&request)?;
        let profile = app::update_profile(&self.0, caller, request.into_inner().into()).await?;
        Ok(Response::new(UpdateProfileResponse { profile: Some(profile.into()) }))
    }

    async fn batch_get_public_players(
        &self,
        request: Request<BatchGetPublicPlayersRequest>,
    ) -> Result<Response<BatchGetPublicPlayersResponse>, Status> {
        player(&request)?;
        let ids = convert::player_ids(&request.into_inner().ids)?;
        let players = app::public_players(&self.0, ids).await?;
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

    async fn set_profile_picture(
        &self,
        _: Request<proto::auth::v1::SetProfilePictureRequest>,
    ) -> Result<Response<proto::auth::v1::SetProfilePictureResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn find_unused_pictures(
        &self,
        _: Request<proto::auth::v1::FindUnusedPicturesRequest>,
    ) -> Result<Response<proto::auth::v1::FindUnusedPicturesResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn delete_account(
        &self,
        _: Request<proto::auth::v1::DeleteAccountRequest>,
    ) -> Result<Response<proto::auth::v1::DeleteAccountResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn redeem_referral(
        &self,
        _: Request<proto::auth::v1::RedeemReferralRequest>,
    ) -> Result<Response<proto::auth::v1::RedeemReferralResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn get_referral(
        &self,
        _: Request<proto::auth::v1::GetReferralRequest>,
    ) -> Result<Response<proto::auth::v1::GetReferralResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn list_countries(
        &self,
        _: Request<proto::auth::v1::ListCountriesRequest>,
    ) -> Result<Response<proto::auth::v1::ListCountriesResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn list_currencies(
        &self,
        _: Request<proto::auth::v1::ListCurrenciesRequest>,
    ) -> Result<Response<proto::auth::v1::ListCurrenciesResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }
}
