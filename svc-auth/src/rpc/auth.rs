//! `playon.auth.v1.AuthService`.

use mesh::auth::player;
use proto::auth::v1::{
    CreateCaptchaRequest, CreateCaptchaResponse, ListProvidersRequest, ListProvidersResponse,
    RefreshRequest, RefreshResponse, SignInRequest, SignInResponse, SignOutRequest,
    SignOutResponse, SignUpRequest, SignUpResponse, auth_service_server::AuthService,
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
}
