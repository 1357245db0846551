//! `CallbackService`: providers' callbacks.

use proto::wallet::v1::{
    ReceiveCallbackRequest, ReceiveCallbackResponse, callback_service_server::CallbackService,
};
use tonic::{Request, Response, Status};

use super::decode::{self, Callback};
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
        match decode::callback(request.into_inner())? {
            Callback::Mpesa(callback) => app::store_callback(&self.cx, callback).await?,
            Callback::Airtime(notice) => app::store_airtime_notice(&self.cx, notice).await?,
            Callback::Paystack(event) => app::store_card_event(&self.cx, event).await?,
        }
        Ok(Response::new(ReceiveCallbackResponse {}))
    }
}
