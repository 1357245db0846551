//! `playon.auth.v1.AuthService`.

use mesh::auth::player;
use proto::auth::v1::{
    ChangePasswordRequest, ChangePasswordResponse, ConfirmDeviceRequest, ConfirmDeviceResponse,
    ConfirmEmailRequest, ConfirmEmailResponse, ConfirmOAuthJoinRequest, ConfirmOAuthJoinResponse,
    ConfirmPasswordResetRequest, ConfirmPasswordResetResponse, CreateCaptchaRequest,
    CreateCaptchaResponse, ExchangeOAuthRequest, ExchangeOAuthResponse, FinishOAuthRequest,
    FinishOAuthResponse, IntroduceDeviceRequest, IntroduceDeviceResponse, ListProvidersRequest,
    ListProvidersResponse, RefreshRequest, RefreshResponse, RejectEmailRequest,
    RejectEmailResponse, RequestPasswordResetRequest, RequestPasswordResetResponse, SignInRequest,
    SignInResponse, SignOutEverywhereRequest, SignOutEverywhereResponse, SignOutRequest,
    SignOutResponse, SignUpRequest, SignUpResponse, StartDeviceConfirmationRequest,
    StartDeviceConfirmationResponse, StartOAuthJoinRequest, StartOAuthJoinResponse,
    StartOAuthRequest, StartOAuthResponse, StartPhoneSignInRequest, StartPhoneSignInResponse,
    VerifyPhoneSignInRequest, VerifyPhoneSignInResponse, auth_service_server::AuthService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::{
    app::{self, ConfirmOAuthJoin, Cx},
    crypto::{ExchangeCode, LinkToken},
    domain::{Code, Provider},
};

/// Signs players up, in and out.
pub(super) struct Auth(pub(super) Cx);

#[tonic::async_trait]
impl AuthService for Auth {
    async fn list_providers(
        &self,
        _: Request<ListProvidersRequest>,
    ) -> Result<Response<ListProvidersResponse>, Status> {
        let providers = &self.0.oauth.providers;
        // Email works without a provider.
        Ok(Response::new(ListProvidersResponse {
            email: true,
            phone: self.0.messaging.sms.is_some(),
            google: providers.has(Provider::Google),
            facebook: providers.has(Provider::Facebook),
        }))
    }

    async fn create_captcha(
        &self,
        _: Request<CreateCaptchaRequest>,
    ) -> Result<Response<CreateCaptchaResponse>, Status> {
        let challenge_json = app::create_captcha(&self.0).await?;
        Ok(Response::new(CreateCaptchaResponse { challenge_json }))
    }

    async fn introduce_device(
        &self,
        request: Request<IntroduceDeviceRequest>,
    ) -> Result<Response<IntroduceDeviceResponse>, Status> {
        let captcha = request.into_inner().captcha;
        let device_token = app::introduce_device(&self.0, &captcha).await?;
        Ok(Response::new(IntroduceDeviceResponse { device_token }))
    }

    async fn sign_up(
        &self,
        request: Request<SignUpRequest>,
    ) -> Result<Response<SignUpResponse>, Status> {
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let signed_in = app::sign_up(&self.0, request.try_into()?, device).await?;
        Ok(Response::new(SignUpResponse { session: Some(signed_in.into()) }))
    }

    async fn sign_in(
        &self,
        request: Request<SignInRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let signed_in = app::sign_in(&self.0, request.try_into()?, device).await?;
        Ok(Response::new(SignInResponse { session: Some(signed_in.into()) }))
    }

    async fn refresh(
        &self,
        request: Request<RefreshRequest>,
    ) -> Result<Response<RefreshResponse>, Status> {
        let request = request.into_inner();
        let tokens = decode::browser_tokens(&self.0, &request);
        let device = self.0.device(&request.device_token);
        let signed_in = app::refresh(&self.0, tokens, request.stay_signed_in, device).await?;
        Ok(Response::new(RefreshResponse { session: Some(signed_in.into()) }))
    }

    async fn sign_out(
        &self,
        request: Request<SignOutRequest>,
    ) -> Result<Response<SignOutResponse>, Status> {
        let caller = player(&request)?;
        let token = self.0.refresher.open(&request.into_inner().refresh_token);
        app::sign_out(&self.0, caller, token).await?;
        Ok(Response::new(SignOutResponse {}))
    }

    async fn sign_out_everywhere(
        &self,
        request: Request<SignOutEverywhereRequest>,
    ) -> Result<Response<SignOutEverywhereResponse>, Status> {
        app::sign_out_everywhere(&self.0, player(&request)?).await?;
        Ok(Response::new(SignOutEverywhereResponse {}))
    }

    async fn start_phone_sign_in(
        &self,
        request: Request<StartPhoneSignInRequest>,
    ) -> Result<Response<StartPhoneSignInResponse>, Status> {
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let sent = app::start_phone_sign_in(&self.0, request.try_into()?, device).await?;
        Ok(Response::new(sent.into()))
    }

    async fn verify_phone_sign_in(
        &self,
        request: Request<VerifyPhoneSignInRequest>,
    ) -> Result<Response<VerifyPhoneSignInResponse>, Status> {
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let command = decode::phone_guess(&self.0, &request);
        let signed_in = app::verify_phone_sign_in(&self.0, command, device).await?;
        Ok(Response::new(VerifyPhoneSignInResponse { session: Some(signed_in.into()) }))
    }

    async fn start_o_auth(
        &self,
        request: Request<StartOAuthRequest>,
    ) -> Result<Response<StartOAuthResponse>, Status> {
        let provider = decode::provider(request.into_inner().provider())?;
        let started = app::start_oauth(&self.0, provider).await?;
        Ok(Response::new(started.into()))
    }

    async fn finish_o_auth(
        &self,
        request: Request<FinishOAuthRequest>,
    ) -> Result<Response<FinishOAuthResponse>, Status> {
        let command = request.into_inner().try_into()?;
        let code = app::finish_oauth(&self.0, command).await?;
        Ok(Response::new(FinishOAuthResponse { exchange_code: code.expose() }))
    }

    async fn exchange_o_auth(
        &self,
        request: Request<ExchangeOAuthRequest>,
    ) -> Result<Response<ExchangeOAuthResponse>, Status> {
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let code = ExchangeCode::parse(&request.exchange_code);
        let signed_in = app::exchange_oauth(&self.0, code, device).await?;
        Ok(Response::new(ExchangeOAuthResponse { session: Some(signed_in.into()) }))
    }

    async fn start_o_auth_join(
        &self,
        request: Request<StartOAuthJoinRequest>,
    ) -> Result<Response<StartOAuthJoinResponse>, Status> {
        let code = ExchangeCode::parse(&request.into_inner().exchange_code);
        let mailed = app::start_oauth_join(&self.0, code).await?;
        Ok(Response::new(mailed.into()))
    }

    async fn confirm_o_auth_join(
        &self,
        request: Request<ConfirmOAuthJoinRequest>,
    ) -> Result<Response<ConfirmOAuthJoinResponse>, Status> {
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let exchange = ExchangeCode::parse(&request.exchange_code);
        let command = ConfirmOAuthJoin { exchange, code: Code::parse(&request.code) };
        let signed_in = app::confirm_oauth_join(&self.0, command, device).await?;
        Ok(Response::new(ConfirmOAuthJoinResponse { session: Some(signed_in.into()) }))
    }

    async fn request_password_reset(
        &self,
        request: Request<RequestPasswordResetRequest>,
    ) -> Result<Response<RequestPasswordResetResponse>, Status> {
        let command = request.into_inner().try_into()?;
        app::request_password_reset(&self.0, command).await?;
        Ok(Response::new(RequestPasswordResetResponse {}))
    }

    async fn confirm_password_reset(
        &self,
        request: Request<ConfirmPasswordResetRequest>,
    ) -> Result<Response<ConfirmPasswordResetResponse>, Status> {
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let command = request.try_into()?;
        let device_token = app::confirm_password_reset(&self.0, command, device).await?;
        Ok(Response::new(ConfirmPasswordResetResponse { device_token }))
    }

    async fn change_password(
        &self,
        request: Request<ChangePasswordRequest>,
    ) -> Result<Response<ChangePasswordResponse>, Status> {
        let caller = player(&request)?;
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        app::change_password(&self.0, caller, request.try_into()?, device).await?;
        Ok(Response::new(ChangePasswordResponse {}))
    }

    async fn confirm_email(
        &self,
        request: Request<ConfirmEmailRequest>,
    ) -> Result<Response<ConfirmEmailResponse>, Status> {
        // Guests have no session, and give the password.
        let caller = player(&request).ok();
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        app::confirm_email(&self.0, request.try_into()?, caller, device).await?;
        Ok(Response::new(ConfirmEmailResponse {}))
    }

    async fn reject_email(
        &self,
        request: Request<RejectEmailRequest>,
    ) -> Result<Response<RejectEmailResponse>, Status> {
        let token = LinkToken::parse(&request.into_inner().token);
        app::reject_email(&self.0, token).await?;
        Ok(Response::new(RejectEmailResponse {}))
    }

    async fn start_device_confirmation(
        &self,
        request: Request<StartDeviceConfirmationRequest>,
    ) -> Result<Response<StartDeviceConfirmationResponse>, Status> {
        let mailed = app::start_device_confirmation(&self.0, player(&request)?).await?;
        Ok(Response::new(mailed.into()))
    }

    async fn confirm_device(
        &self,
        request: Request<ConfirmDeviceRequest>,
    ) -> Result<Response<ConfirmDeviceResponse>, Status> {
        let caller = player(&request)?;
        let request = request.into_inner();
        let device = self.0.device(&request.device_token);
        let code = Code::parse(&request.code);
        let device_token = app::confirm_device(&self.0, caller, code, device).await?;
        Ok(Response::new(ConfirmDeviceResponse { device_token }))
    }
}
