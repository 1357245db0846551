//! `playon.chat.v1.NotificationService`.

use mesh::auth::Caller;
use proto::chat::v1::{
    BatchNotifyRequest, BatchNotifyResponse, notification_service_server::NotificationService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for services of the mesh.
pub(super) struct Internal(pub(super) Cx);

#[tonic::async_trait]
impl NotificationService for Internal {
    async fn batch_notify(
        &self,
        request: Request<BatchNotifyRequest>,
    ) -> Result<Response<BatchNotifyResponse>, Status> {
        let caller = Caller::of(&request);
        let new = decode::new_notifications(caller, request.into_inner())?;
        app::notify(&self.0, new).await?;
        Ok(Response::new(BatchNotifyResponse {}))
    }
}
