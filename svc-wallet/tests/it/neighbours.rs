//! svc-auth, as far as the wallet asks it.

use proto::auth::v1::{
    self as wire, BatchGetPublicPlayersRequest, BatchGetPublicPlayersResponse, PublicPlayer,
    player_service_server::PlayerService,
};
use tonic::{Request, Response, Status};

/// An id that nobody has.
pub(crate) const NOBODY: &str = "00000000-0000-7000-8000-00000000dead";

/// Knows every player but [`NOBODY`], and calls them by the end of their id.
pub(crate) struct Everybody;

#[tonic::async_trait]
impl PlayerService for Everybody {
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

    async fn get_profile(
        &self,
        _: Request<wire::GetProfileRequest>,
    ) -> Result<Response<wire::GetProfileResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn update_profile(
        &self,
        _: Request<wire::UpdateProfileRequest>,
    ) -> Result<Response<wire::UpdateProfileResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn find_by_username(
        &self,
        _: Request<wire::FindByUsernameRequest>,
    ) -> Result<Response<wire::FindByUsernameResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn set_profile_picture(
        &self,
        _: Request<wire::SetProfilePictureRequest>,
    ) -> Result<Response<wire::SetProfilePictureResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn find_unused_pictures(
        &self,
        _: Request<wire::FindUnusedPicturesRequest>,
    ) -> Result<Response<wire::FindUnusedPicturesResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn delete_account(
        &self,
        _: Request<wire::DeleteAccountRequest>,
    ) -> Result<Response<wire::DeleteAccountResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn redeem_referral(
        &self,
        _: Request<wire::RedeemReferralRequest>,
    ) -> Result<Response<wire::RedeemReferralResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn get_referral(
        &self,
        _: Request<wire::GetReferralRequest>,
    ) -> Result<Response<wire::GetReferralResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn list_countries(
        &self,
        _: Request<wire::ListCountriesRequest>,
    ) -> Result<Response<wire::ListCountriesResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }

    async fn list_currencies(
        &self,
        _: Request<wire::ListCurrenciesRequest>,
    ) -> Result<Response<wire::ListCurrenciesResponse>, Status> {
        Err(Status::unimplemented("the wallet does not ask this"))
    }
}
