//! `playon.auth.v1.PlayerService`.

use std::pin::Pin;

use mesh::auth::player;
use proto::{
    auth::v1::{
        ConfirmPayoutPhoneRequest, ConfirmPayoutPhoneResponse, DeleteAccountRequest,
        DeleteAccountResponse, DownloadDataCopyRequest, DownloadDataCopyResponse,
        GetDataCopyRequest, GetDataCopyResponse, GetProfileRequest, GetProfileResponse,
        GetReferralRequest, GetReferralResponse, ListCountriesRequest, ListCountriesResponse,
        ListCurrenciesRequest, ListCurrenciesResponse, ListPayoutPhonesRequest,
        ListPayoutPhonesResponse, RedeemReferralRequest, RedeemReferralResponse,
        RequestDataCopyRequest, RequestDataCopyResponse, SetProfilePictureRequest,
        SetProfilePictureResponse, StartBreakRequest, StartBreakResponse, StartPayoutPhoneRequest,
        StartPayoutPhoneResponse, UpdateProfileRequest, UpdateProfileResponse,
        player_service_server::PlayerService,
    },
    timestamp,
};
use tokio_stream::{Stream, StreamExt as _, wrappers::ReceiverStream};
use tonic::{Request, Response, Status};

use super::decode;
use crate::{
    app::{self, Cx},
    domain::{Code, Picture},
};

/// The caller's own account.
pub(super) struct Players(pub(super) Cx);

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

    async fn set_profile_picture(
        &self,
        request: Request<SetProfilePictureRequest>,
    ) -> Result<Response<SetProfilePictureResponse>, Status> {
        let caller = player(&request)?;
        let picture = Picture::parse(&request.into_inner().url, caller.id);
        let set = app::set_profile_picture(&self.0, caller, picture).await?;
        Ok(Response::new(set.into()))
    }

    async fn delete_account(
        &self,
        request: Request<DeleteAccountRequest>,
    ) -> Result<Response<DeleteAccountResponse>, Status> {
        let caller = player(&request)?;
        app::delete_account(&self.0, caller, request.into_inner().into()).await?;
        Ok(Response::new(DeleteAccountResponse {}))
    }

    async fn start_break(
        &self,
        request: Request<StartBreakRequest>,
    ) -> Result<Response<StartBreakResponse>, Status> {
        let caller = player(&request)?;
        let length = decode::break_length(request.into_inner().length())?;
        let ends_at = app::start_break(&self.0, caller, length).await?;
        Ok(Response::new(StartBreakResponse { ends_at: Some(timestamp(ends_at)) }))
    }

    async fn request_data_copy(
        &self,
        request: Request<RequestDataCopyRequest>,
    ) -> Result<Response<RequestDataCopyResponse>, Status> {
        let copy = app::request_data_copy(&self.0, player(&request)?).await?;
        Ok(Response::new(RequestDataCopyResponse { copy: Some(copy.into()) }))
    }

    async fn get_data_copy(
        &self,
        request: Request<GetDataCopyRequest>,
    ) -> Result<Response<GetDataCopyResponse>, Status> {
        let copy = app::get_data_copy(&self.0, player(&request)?).await?;
        Ok(Response::new(GetDataCopyResponse { copy: copy.map(Into::into) }))
    }

    type DownloadDataCopyStream =
        Pin<Box<dyn Stream<Item = Result<DownloadDataCopyResponse, Status>> + Send>>;

    async fn download_data_copy(
        &self,
        request: Request<DownloadDataCopyRequest>,
    ) -> Result<Response<Self::DownloadDataCopyStream>, Status> {
        let caller = player(&request)?;
        let format = decode::copy_format(request.into_inner().format())?;
        let parts = app::download_data_copy(&self.0, caller, format).await?;
        let replies = ReceiverStream::new(parts)
            .map(|part| Ok(DownloadDataCopyResponse { part: part?.into_bytes() }));
        Ok(Response::new(Box::pin(replies)))
    }

    async fn start_payout_phone(
        &self,
        request: Request<StartPayoutPhoneRequest>,
    ) -> Result<Response<StartPayoutPhoneResponse>, Status> {
        let caller = player(&request)?;
        let phone = decode::phone(&request.into_inner().phone)?;
        let sent = app::start_payout_phone(&self.0, caller, phone).await?;
        Ok(Response::new(sent.into()))
    }

    async fn confirm_payout_phone(
        &self,
        request: Request<ConfirmPayoutPhoneRequest>,
    ) -> Result<Response<ConfirmPayoutPhoneResponse>, Status> {
        let caller = player(&request)?;
        let code = Code::parse(&request.into_inner().code);
        let proven = app::confirm_payout_phone(&self.0, caller, code).await?;
        Ok(Response::new(ConfirmPayoutPhoneResponse { phone: Some(proven.into()) }))
    }

    async fn list_payout_phones(
        &self,
        request: Request<ListPayoutPhonesRequest>,
    ) -> Result<Response<ListPayoutPhonesResponse>, Status> {
        let phones = app::list_payout_phones(&self.0, player(&request)?).await?;
        let phones = phones.into_iter().map(Into::into).collect();
        Ok(Response::new(ListPayoutPhonesResponse { phones }))
    }

    async fn redeem_referral(
        &self,
        request: Request<RedeemReferralRequest>,
    ) -> Result<Response<RedeemReferralResponse>, Status> {
        let caller = player(&request)?;
        let code = decode::referral_code(&request.into_inner().referral_code)?;
        app::redeem_referral(&self.0, caller, code).await?;
        Ok(Response::new(RedeemReferralResponse {}))
    }

    async fn get_referral(
        &self,
        request: Request<GetReferralRequest>,
    ) -> Result<Response<GetReferralResponse>, Status> {
        let referral = app::get_referral(&self.0, player(&request)?).await?;
        Ok(Response::new(referral.into()))
    }

    async fn list_countries(
        &self,
        _: Request<ListCountriesRequest>,
    ) -> Result<Response<ListCountriesResponse>, Status> {
        let countries = app::list_countries(&self.0).await?;
        let countries = countries.iter().map(Into::into).collect();
        Ok(Response::new(ListCountriesResponse { countries }))
    }

    async fn list_currencies(
        &self,
        _: Request<ListCurrenciesRequest>,
    ) -> Result<Response<ListCurrenciesResponse>, Status> {
        let currencies = app::list_currencies(&self.0).await?;
        let currencies = currencies.iter().map(Into::into).collect();
        Ok(Response::new(ListCurrenciesResponse { currencies }))
    }
}
