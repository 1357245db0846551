//! `playon.auth.v1.KeyService`.

use futures_util::{StreamExt as _, stream::BoxStream};
use mesh::Shutdown;
use proto::auth::v1::{
    GetKeySetRequest, GetKeySetResponse, WatchRevokedSessionsRequest, WatchRevokedSessionsResponse,
    key_service_server::KeyService,
};
use tonic::{Request, Response, Status};

use crate::app::Cx;

/// What judges of tokens must know.
pub(crate) struct Keys(Cx, Shutdown);

impl Keys {
    pub(crate) fn new(cx: Cx, shutdown: Shutdown) -> Self {
        Self(cx, shutdown)
    }
}

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
        let stopping = self.1.stopping_owned();
        Ok(Response::new(self.0.ended.told().map(Ok).take_until(stopping).boxed()))
    }
}
