//! `playon.auth.v1.KeyService`.

use proto::auth::v1::{GetKeySetRequest, GetKeySetResponse, key_service_server::KeyService};
use tonic::{Request, Response, Status};

use crate::app::Cx;

/// The public halves of the signing keys.
pub(crate) struct Keys(Cx);

impl Keys {
    pub(crate) fn new(cx: Cx) -> Self {
        Self(cx)
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
}
