//! `playon.auth.v1.KeyService`.

use futures_util::{StreamExt as _, stream::BoxStream};
use proto::auth::v1::{
    GetKeySetRequest, GetKeySetResponse, WatchRevokedSessionsRequest, WatchRevokedSessionsResponse,
    key_service_server::KeyService,
};
use tonic::{Request, Response, Status};

use crate::app::Cx;

/// The keys and revocations with which other services verify access tokens.
pub(super) struct Keys(pub(super) Cx);

#[tonic::async_trait]
impl KeyService for Keys {
    async fn get_key_set(
        &self,
        _: Request<GetKeySetRequest>,
    ) -> Result<Response<GetKeySetResponse>, Status> {
        Ok(Response::new(GetKeySetResponse { jwks_json: self.0.access.jwks_json().to_owned() }))
    }

    type WatchRevokedSessionsStream =
        BoxStream<'static, Result<WatchRevokedSessionsResponse, Status>>;

    async fn watch_revoked_sessions(
        &self,
        _: Request<WatchRevokedSessionsRequest>,
    ) -> Result<Response<Self::WatchRevokedSessionsStream>, Status> {
        let stopping = self.0.shutdown.stopping_owned();
        Ok(Response::new(self.0.revoked.sessions.updates().map(Ok).take_until(stopping).boxed()))
    }
}
