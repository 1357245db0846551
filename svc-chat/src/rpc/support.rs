//! `playon.chat.v1.SupportService` and `ChatMediaService`.

use mesh::{Fault, auth::Caller};
use proto::chat::v1::{
    FindUnusedMediaRequest, FindUnusedMediaResponse, SendFeedbackRequest, SendFeedbackResponse,
    chat_media_service_server::ChatMediaService, support_service_server::SupportService,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{self, Cx},
    domain::FeedbackTexts,
};

/// The contract's limit of URLs.
const URLS_MAX: usize = 1_000;

/// RPCs for feedback to the support.
pub(super) struct Support(pub(super) Cx);

#[tonic::async_trait]
impl SupportService for Support {
    async fn send_feedback(
        &self,
        request: Request<SendFeedbackRequest>,
    ) -> Result<Response<SendFeedbackResponse>, Status> {
        let player = match Caller::of(&request) {
            Caller::Player(player) => Some(player.id),
            // A caller whose token could not be verified also counts as a guest.
            Caller::Guest | Caller::Service(_) | Caller::InvalidToken | Caller::Unverified => None,
        };
        let SendFeedbackRequest { email, subject, message, client_feedback_id } = request.get_ref();
        let texts = FeedbackTexts { email, subject, message, client_id: client_feedback_id };
        app::send_feedback(&self.0, player, texts).await?;
        Ok(Response::new(SendFeedbackResponse {}))
    }
}

/// RPCs about the files of rooms, for processes of the mesh.
pub(super) struct ChatMedia(pub(super) Cx);

#[tonic::async_trait]
impl ChatMediaService for ChatMedia {
    async fn find_unused_media(
        &self,
        request: Request<FindUnusedMediaRequest>,
    ) -> Result<Response<FindUnusedMediaResponse>, Status> {
        let urls = request.into_inner().urls;
        if urls.len() > URLS_MAX {
            return Err(Fault::invalid_field("urls", "TOO_MANY_FILES").into());
        }
        let urls = app::find_unused_media(&self.0, urls).await?;
        Ok(Response::new(FindUnusedMediaResponse { urls }))
    }
}
