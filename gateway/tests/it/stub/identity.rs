//! svc-auth, as far as the gateway sees it.

use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt as _};
use proto::{
    auth::v1::{
        self as auth, auth_service_server::AuthService, directory_service_server::DirectoryService,
        picture_service_server::PictureService, player_service_server::PlayerService,
    },
    timestamp,
};
use tonic::{Request, Response, Status};

use super::{AT, Stub};

/// A device that is known to the owner of every phone.
pub(crate) const KNOWN_DEVICE: &str = "known";
/// The state of every attempt to sign in elsewhere.
pub(crate) const STATE: &str = "state+/=";
/// The secret that the browser keeps for the attempt.
pub(crate) const BROWSER_SECRET: &str = "browser-secret";

fn session() -> auth::Session {
    auth::Session {
        uid: "u-1".into(),
        access_token: "access".into(),
        refresh_token: "refresh".into(),
        expiration_time_ms: 1_790_000_000_123,
        is_new_user: true,
        stay_signed_in: true,
        device_token: "device".into(),
    }
}

fn profile() -> auth::Profile {
    auth::Profile {
        uid: "u-1".into(),
        name: Some("Amina".into()),
        referral_code: "AMINA7".into(),
        created_at: Some(timestamp(AT)),
        break_until: None,
        ..auth::Profile::default()
    }
}

#[tonic::async_trait]
impl AuthService for Stub {
    async fn list_providers(
        &self,
        request: Request<auth::ListProvidersRequest>,
    ) -> Result<Response<auth::ListProvidersResponse>, Status> {
        let reply = auth::ListProvidersResponse { email: true, ..Default::default() };
        self.answer(request, reply).await
    }

    async fn create_captcha(
        &self,
        request: Request<auth::CreateCaptchaRequest>,
    ) -> Result<Response<auth::CreateCaptchaResponse>, Status> {
        let reply = auth::CreateCaptchaResponse {
            challenge_json: r#"{"parameters":{"cost":5000}}"#.into(),
        };
        self.answer(request, reply).await
    }

    async fn sign_up(
        &self,
        request: Request<auth::SignUpRequest>,
    ) -> Result<Response<auth::SignUpResponse>, Status> {
        let session = Some(session());
        self.answer(request, auth::SignUpResponse { session }).await
    }

    async fn sign_in(
        &self,
        request: Request<auth::SignInRequest>,
    ) -> Result<Response<auth::SignInResponse>, Status> {
        let session = Some(session());
        self.answer(request, auth::SignInResponse { session }).await
    }

    async fn refresh(
        &self,
        request: Request<auth::RefreshRequest>,
    ) -> Result<Response<auth::RefreshResponse>, Status> {
        let session = Some(session());
        self.answer(request, auth::RefreshResponse { session }).await
    }

    async fn sign_out(
        &self,
        request: Request<auth::SignOutRequest>,
    ) -> Result<Response<auth::SignOutResponse>, Status> {
        self.answer(request, auth::SignOutResponse {}).await
    }

    async fn sign_out_everywhere(
        &self,
        request: Request<auth::SignOutEverywhereRequest>,
    ) -> Result<Response<auth::SignOutEverywhereResponse>, Status> {
        self.answer(request, auth::SignOutEverywhereResponse {}).await
    }

    async fn start_phone_sign_in(
        &self,
        request: Request<auth::StartPhoneSignInRequest>,
    ) -> Result<Response<auth::StartPhoneSignInResponse>, Status> {
        let reply = auth::StartPhoneSignInResponse {
            challenge_id: "c-1".into(),
            digits: 6,
            expires_at: Some(timestamp(AT + Duration::from_mins(5))),
            resend_at: Some(timestamp(AT + Duration::from_mins(1))),
            known_device: request.get_ref().device_token == KNOWN_DEVICE,
        };
        self.answer(request, reply).await
    }

    async fn introduce_device(
        &self,
        request: Request<auth::IntroduceDeviceRequest>,
    ) -> Result<Response<auth::IntroduceDeviceResponse>, Status> {
        let reply = auth::IntroduceDeviceResponse { device_token: "device-2".to_owned() };
        self.answer(request, reply).await
    }

    async fn verify_phone_sign_in(
        &self,
        request: Request<auth::VerifyPhoneSignInRequest>,
    ) -> Result<Response<auth::VerifyPhoneSignInResponse>, Status> {
        let session = Some(session());
        self.answer(request, auth::VerifyPhoneSignInResponse { session }).await
    }

    async fn start_o_auth(
        &self,
        request: Request<auth::StartOAuthRequest>,
    ) -> Result<Response<auth::StartOAuthResponse>, Status> {
        let reply = auth::StartOAuthResponse {
            authorization_url: "https://provider.example/authorize?state=state".into(),
            state: STATE.into(),
            browser_secret: BROWSER_SECRET.into(),
        };
        self.answer(request, reply).await
    }

    async fn finish_o_auth(
        &self,
        request: Request<auth::FinishOAuthRequest>,
    ) -> Result<Response<auth::FinishOAuthResponse>, Status> {
        let exchange_code = "exchange-1".into();
        self.answer(request, auth::FinishOAuthResponse { exchange_code }).await
    }

    async fn exchange_o_auth(
        &self,
        request: Request<auth::ExchangeOAuthRequest>,
    ) -> Result<Response<auth::ExchangeOAuthResponse>, Status> {
        let session = Some(session());
        self.answer(request, auth::ExchangeOAuthResponse { session }).await
    }

    async fn start_o_auth_join(
        &self,
        request: Request<auth::StartOAuthJoinRequest>,
    ) -> Result<Response<auth::StartOAuthJoinResponse>, Status> {
        let reply = auth::StartOAuthJoinResponse {
            email_hint: "a•••@b.ke".into(),
            expires_at: Some(timestamp(AT + Duration::from_mins(15))),
            resend_at: Some(timestamp(AT + Duration::from_mins(1))),
        };
        self.answer(request, reply).await
    }

    async fn confirm_o_auth_join(
        &self,
        request: Request<auth::ConfirmOAuthJoinRequest>,
    ) -> Result<Response<auth::ConfirmOAuthJoinResponse>, Status> {
        let session = Some(session());
        self.answer(request, auth::ConfirmOAuthJoinResponse { session }).await
    }

    async fn request_password_reset(
        &self,
        request: Request<auth::RequestPasswordResetRequest>,
    ) -> Result<Response<auth::RequestPasswordResetResponse>, Status> {
        self.answer(request, auth::RequestPasswordResetResponse {}).await
    }

    async fn confirm_password_reset(
        &self,
        request: Request<auth::ConfirmPasswordResetRequest>,
    ) -> Result<Response<auth::ConfirmPasswordResetResponse>, Status> {
        let reply = auth::ConfirmPasswordResetResponse { device_token: "device".into() };
        self.answer(request, reply).await
    }

    async fn change_password(
        &self,
        request: Request<auth::ChangePasswordRequest>,
    ) -> Result<Response<auth::ChangePasswordResponse>, Status> {
        self.answer(request, auth::ChangePasswordResponse {}).await
    }

    async fn confirm_email(
        &self,
        request: Request<auth::ConfirmEmailRequest>,
    ) -> Result<Response<auth::ConfirmEmailResponse>, Status> {
        self.answer(request, auth::ConfirmEmailResponse {}).await
    }

    async fn reject_email(
        &self,
        request: Request<auth::RejectEmailRequest>,
    ) -> Result<Response<auth::RejectEmailResponse>, Status> {
        self.answer(request, auth::RejectEmailResponse {}).await
    }

    async fn start_device_confirmation(
        &self,
        request: Request<auth::StartDeviceConfirmationRequest>,
    ) -> Result<Response<auth::StartDeviceConfirmationResponse>, Status> {
        let reply = auth::StartDeviceConfirmationResponse {
            email_hint: "a•••@b.ke".into(),
            expires_at: Some(timestamp(AT + Duration::from_mins(15))),
            resend_at: Some(timestamp(AT + Duration::from_mins(1))),
        };
        self.answer(request, reply).await
    }

    async fn confirm_device(
        &self,
        request: Request<auth::ConfirmDeviceRequest>,
    ) -> Result<Response<auth::ConfirmDeviceResponse>, Status> {
        let reply = auth::ConfirmDeviceResponse { device_token: "device-1".into() };
        self.answer(request, reply).await
    }
}

#[tonic::async_trait]
impl PlayerService for Stub {
    async fn get_profile(
        &self,
        request: Request<auth::GetProfileRequest>,
    ) -> Result<Response<auth::GetProfileResponse>, Status> {
        let created = self.0.lock().unwrap().created;
        let profile = Some(profile());
        let reply = auth::GetProfileResponse { profile, created };
        self.answer(request, reply).await
    }

    async fn update_profile(
        &self,
        request: Request<auth::UpdateProfileRequest>,
    ) -> Result<Response<auth::UpdateProfileResponse>, Status> {
        let profile = Some(profile());
        self.answer(request, auth::UpdateProfileResponse { profile }).await
    }

    async fn set_profile_picture(
        &self,
        request: Request<auth::SetProfilePictureRequest>,
    ) -> Result<Response<auth::SetProfilePictureResponse>, Status> {
        let replaced_url = self.0.lock().unwrap().replaced_picture.clone();
        let profile = Some(profile());
        let reply = auth::SetProfilePictureResponse { profile, replaced_url };
        self.answer(request, reply).await
    }

    async fn delete_account(
        &self,
        request: Request<auth::DeleteAccountRequest>,
    ) -> Result<Response<auth::DeleteAccountResponse>, Status> {
        self.answer(request, auth::DeleteAccountResponse {}).await
    }

    async fn start_break(
        &self,
        request: Request<auth::StartBreakRequest>,
    ) -> Result<Response<auth::StartBreakResponse>, Status> {
        self.answer(request, auth::StartBreakResponse { ends_at: Some(timestamp(AT)) }).await
    }

    async fn request_data_copy(
        &self,
        request: Request<auth::RequestDataCopyRequest>,
    ) -> Result<Response<auth::RequestDataCopyResponse>, Status> {
        let at = Some(timestamp(AT));
        let copy = auth::DataCopy { requested_at: at, completed_at: None, expires_at: at };
        self.answer(request, auth::RequestDataCopyResponse { copy: Some(copy) }).await
    }

    async fn get_data_copy(
        &self,
        request: Request<auth::GetDataCopyRequest>,
    ) -> Result<Response<auth::GetDataCopyResponse>, Status> {
        self.answer(request, auth::GetDataCopyResponse { copy: None }).await
    }

    type DownloadDataCopyStream =
        BoxStream<'static, Result<auth::DownloadDataCopyResponse, Status>>;

    async fn download_data_copy(
        &self,
        request: Request<auth::DownloadDataCopyRequest>,
    ) -> Result<Response<Self::DownloadDataCopyStream>, Status> {
        let parts = ["<!doctype", " html>"]
            .map(|part| Ok(auth::DownloadDataCopyResponse { part: part.into() }));
        self.answer(request, stream::iter(parts).boxed()).await
    }

    async fn start_payout_phone(
        &self,
        request: Request<auth::StartPayoutPhoneRequest>,
    ) -> Result<Response<auth::StartPayoutPhoneResponse>, Status> {
        let reply = auth::StartPayoutPhoneResponse {
            phone: "+254712345678".into(),
            expires_at: Some(timestamp(AT + Duration::from_mins(5))),
            resend_at: Some(timestamp(AT + Duration::from_mins(1))),
        };
        self.answer(request, reply).await
    }

    async fn confirm_payout_phone(
        &self,
        request: Request<auth::ConfirmPayoutPhoneRequest>,
    ) -> Result<Response<auth::ConfirmPayoutPhoneResponse>, Status> {
        let reply = auth::ConfirmPayoutPhoneResponse { phone: Some(payout_phone()) };
        self.answer(request, reply).await
    }

    async fn list_payout_phones(
        &self,
        request: Request<auth::ListPayoutPhonesRequest>,
    ) -> Result<Response<auth::ListPayoutPhonesResponse>, Status> {
        let reply = auth::ListPayoutPhonesResponse { phones: vec![payout_phone()] };
        self.answer(request, reply).await
    }

    async fn redeem_referral(
        &self,
        request: Request<auth::RedeemReferralRequest>,
    ) -> Result<Response<auth::RedeemReferralResponse>, Status> {
        self.answer(request, auth::RedeemReferralResponse {}).await
    }

    async fn get_referral(
        &self,
        request: Request<auth::GetReferralRequest>,
    ) -> Result<Response<auth::GetReferralResponse>, Status> {
        let referral_code = "AMINA7".into();
        let reply = auth::GetReferralResponse { referral_code, redeemed: true, invited: 3 };
        self.answer(request, reply).await
    }

    async fn list_countries(
        &self,
        request: Request<auth::ListCountriesRequest>,
    ) -> Result<Response<auth::ListCountriesResponse>, Status> {
        let kenya = auth::Country {
            id: "KE".into(),
            name: "Kenya".into(),
            alpha2_code: "KE".into(),
            alpha3_code: "KEN".into(),
            region: "Africa".into(),
        };
        self.answer(request, auth::ListCountriesResponse { countries: vec![kenya] }).await
    }

    async fn list_currencies(
        &self,
        request: Request<auth::ListCurrenciesRequest>,
    ) -> Result<Response<auth::ListCurrenciesResponse>, Status> {
        let shilling = auth::Currency {
            id: "KES".into(),
            code: "KES".into(),
            name: "Kenyan Shilling".into(),
            country_id: Some("KE".into()),
        };
        let gold = auth::Currency {
            id: "XAU".into(),
            code: "XAU".into(),
            name: "Gold".into(),
            country_id: None,
        };
        self.answer(request, auth::ListCurrenciesResponse { currencies: vec![shilling, gold] })
            .await
    }
}

#[tonic::async_trait]
impl DirectoryService for Stub {
    async fn batch_get_public_players(
        &self,
        request: Request<auth::BatchGetPublicPlayersRequest>,
    ) -> Result<Response<auth::BatchGetPublicPlayersResponse>, Status> {
        let known = request.get_ref().ids.iter().filter(|id| *id == "u-1");
        let players = known
            .map(|id| auth::PublicPlayer {
                id: id.clone(),
                username: Some("amina".into()),
                name: Some("Amina".into()),
                profile_pic: None,
            })
            .collect();
        let reply = auth::BatchGetPublicPlayersResponse { players };
        self.answer(request, reply).await
    }

    async fn find_by_username(
        &self,
        request: Request<auth::FindByUsernameRequest>,
    ) -> Result<Response<auth::FindByUsernameResponse>, Status> {
        let id = "u-1".into();
        self.answer(request, auth::FindByUsernameResponse { id }).await
    }

    async fn get_own_phone(
        &self,
        request: Request<auth::GetOwnPhoneRequest>,
    ) -> Result<Response<auth::GetOwnPhoneResponse>, Status> {
        self.answer(request, auth::GetOwnPhoneResponse::default()).await
    }

    async fn get_payout_phone(
        &self,
        request: Request<auth::GetPayoutPhoneRequest>,
    ) -> Result<Response<auth::GetPayoutPhoneResponse>, Status> {
        self.answer(request, auth::GetPayoutPhoneResponse::default()).await
    }
}

#[tonic::async_trait]
impl PictureService for Stub {
    async fn find_unused_pictures(
        &self,
        request: Request<auth::FindUnusedPicturesRequest>,
    ) -> Result<Response<auth::FindUnusedPicturesResponse>, Status> {
        let urls = self.0.lock().unwrap().unused_pictures.clone();
        self.answer(request, auth::FindUnusedPicturesResponse { urls }).await
    }
}

fn payout_phone() -> auth::PayoutPhone {
    auth::PayoutPhone { phone: "+254712345678".into(), opens_at: Some(timestamp(AT)) }
}
