//! `CallbackService`: providers' callbacks.

use proto::wallet::v1::{
    ReceiveCallbackRequest, ReceiveCallbackResponse, callback_service_server::CallbackService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

pub(super) struct Callbacks {
    cx: Cx,
}

impl Callbacks {
    pub(super) fn new(cx: Cx) -> Self {
        Self { cx }
    }
}

#[tonic::async_trait]
impl CallbackService for Callbacks {
    async fn receive_callback(
        &self,
        request: Request<ReceiveCallbackRequest>,
    ) -> Result<Response<ReceiveCallbackResponse>, Status> {
        let callback = decode::callback(request.into_inner())?;
        app::store_callback(&self.cx, callback).await?;
        Ok(Response::new(ReceiveCallbackResponse {}))
    }
}
