//! `CallbackService`: what the outside world reports.

use mesh::Fault;
use proto::wallet::v1::{
    Provider, ReceiveCallbackRequest, ReceiveCallbackResponse,
    callback_service_server::CallbackService,
};
use tonic::{Code, Request, Response, Status};

use crate::app::{self, Cx, NewCallback};

/// The contract's limit on a body.
const BODY_MAX: usize = 16 * 1024;
/// A secret of ours has 32 characters.
const SECRET_MAX: usize = 64;

/// The service.
pub struct Callbacks {
    cx: Cx,
}

impl Callbacks {
    /// The service on `cx`.
    pub fn new(cx: Cx) -> Self {
        Self { cx }
    }
}

#[tonic::async_trait]
impl CallbackService for Callbacks {
    async fn receive_callback(
        &self,
        request: Request<ReceiveCallbackRequest>,
    ) -> Result<Response<ReceiveCallbackResponse>, Status> {
        let callback = decode(request.into_inner())?;
        app::store_callback(&self.cx, callback).await?;
        Ok(Response::new(ReceiveCallbackResponse {}))
    }
}

fn decode(request: ReceiveCallbackRequest) -> Result<NewCallback, Fault> {
    let known = request.provider == i32::from(Provider::MpesaStk);
    if !known || request.body.len() > BODY_MAX || request.secret.len() > SECRET_MAX {
        return Err(Fault::new(
            Code::InvalidArgument,
            "NOT_A_CALLBACK",
            "That is no message of a provider we know.",
        ));
    }
    Ok(NewCallback { secret: request.secret, body: request.body, source_ip: request.source_ip })
}
