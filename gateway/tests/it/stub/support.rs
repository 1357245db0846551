//! Support and media of svc-chat.

use proto::chat::v1::{
    self as chat, chat_media_service_server::ChatMediaService,
    support_service_server::SupportService,
};
use tonic::{Request, Response, Status};

use super::Stub;

impl Stub {
    /// Sets the files that no message has.
    pub(crate) fn unuse_media(&self, urls: &[&str]) {
        self.0.lock().unwrap().unused_media = urls.iter().map(ToString::to_string).collect();
    }
}

#[tonic::async_trait]
impl SupportService for Stub {
    async fn send_feedback(
        &self,
        request: Request<chat::SendFeedbackRequest>,
    ) -> Result<Response<chat::SendFeedbackResponse>, Status> {
        self.answer(request, chat::SendFeedbackResponse {}).await
    }
}

#[tonic::async_trait]
impl ChatMediaService for Stub {
    async fn find_unused_media(
        &self,
        request: Request<chat::FindUnusedMediaRequest>,
    ) -> Result<Response<chat::FindUnusedMediaResponse>, Status> {
        let urls = self.0.lock().unwrap().unused_media.clone();
        self.answer(request, chat::FindUnusedMediaResponse { urls }).await
    }
}
