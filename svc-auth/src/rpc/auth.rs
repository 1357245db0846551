//! `playon.auth.v1.AuthService`.

use mesh::auth::player;
use proto::auth::v1::{
    CreateCaptchaRequest, CreateCaptchaResponse, ListProvidersRequest, ListProvidersResponse,
    RefreshRequest, RefreshResponse, SignInRequest, SignInResponse, SignOutEverywhereRequest,
    SignOutEverywhereResponse, SignOutRequest, SignOutResponse, SignUpRequest, SignUpResponse,
    auth_service_server::AuthService,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{self, Cx},
    crypto::RefreshToken,
};

/// Ways in and out.
pub(crate) struct Auth(Cx);

impl Auth {
    pub(crate) fn new(cx: Cx) -> Self {
        Self(cx)
    }
}

#[tonic::async_trait]
impl AuthService for Auth {
    async fn list_providers(
        &self,
        _: Request<ListProvidersRequest>,
    ) -> Result<Response<ListProvidersResponse>, Status> {
        // Email needs nothing but this service; the others are switched on by
        // their configuration, which this deployment does not have.
        Ok(Response::new(ListProvidersResponse { email: true, ..ListProvidersResponse::default() }))
    }

    async fn create_captcha(
        &self,
        _: Request<CreateCaptchaRequest>,
    ) -> Result<Response<CreateCaptchaResponse>, Status> {
        let challenge_json = app::create_captcha(&self.0).await?;
        Ok(Response::new(CreateCaptchaResponse { challenge_json }))
    }

    async fn sign_up(
        &self,
        request: Request<SignUpRequest>,
    ) -> Result<Response<SignUpResponse>, Status> {
        let command = request.into_inner().try_into()?;
        let signed_in = app::sign_up(&self.0, command).await?;
        Ok(Response::new(SignUpResponse { session: Some(signed_in.into()) }))
    }

    async fn sign_in(
        &self,
        request: Request<SignInRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        let command = request.into_inner().try_into()?;
        let signed_in = app::sign_in(&self.0, command).await?;
        Ok(Response::new(SignInResponse { session: Some(signed_in.into()) }))
    }

    async fn refresh(
        &self,
        request: Request<RefreshRequest>,
    ) -> Result<Response<RefreshResponse>, Status> {
        let token = RefreshToken::parse(&request.into_inner().refresh_token);
        let signed_in = app::refresh(&self.0, token).await?;
        Ok(Response::new(RefreshResponse { session: Some(signed_in.into()) }))
    }

    async fn sign_out(
        &self,
        request: Request<SignOutRequest>,
    ) -> Result<Response<SignOutResponse>, Status> {
        let caller = player(&request)?;
        let token = RefreshToken::parse(&request.into_inner().refresh_token);
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
        _: Request<proto::auth::v1::StartPhoneSignInRequest>,
    ) -> Result<Response<proto::auth::v1::StartPhoneSignInResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn verify_phone_sign_in(
        &self,
        _: Request<proto::auth::v1::VerifyPhoneSignInRequest>,
    ) -> Result<Response<proto::auth::v1::VerifyPhoneSignInResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn start_o_auth(
        &self,
        _: Request<proto::auth::v1::StartOAuthRequest>,
    ) -> Result<Response<proto::auth::v1::StartOAuthResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn finish_o_auth(
        &self,
        _: Request<proto::auth::v1::FinishOAuthRequest>,
    ) -> Result<Response<proto::auth::v1::FinishOAuthResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn exchange_o_auth(
        &self,
        _: Request<proto::auth::v1::ExchangeOAuthRequest>,
    ) -> Result<Response<proto::auth::v1::ExchangeOAuthResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn request_password_reset(
        &self,
        _: Request<proto::auth::v1::RequestPasswordResetRequest>,
    ) -> Result<Response<proto::auth::v1::RequestPasswordResetResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn confirm_password_reset(
        &self,
        _: Request<proto::auth::v1::ConfirmPasswordResetRequest>,
    ) -> Result<Response<proto::auth::v1::ConfirmPasswordResetResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn change_password(
        &self,
        _: Request<proto::auth::v1::ChangePasswordRequest>,
    ) -> Result<Response<proto::auth::v1::ChangePasswordResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }

    async fn confirm_email(
        &self,
        _: Request<proto::auth::v1::ConfirmEmailRequest>,
    ) -> Result<Response<proto::auth::v1::ConfirmEmailResponse>, Status> {
        Err(Status::unimplemented("under construction"))
    }
}
