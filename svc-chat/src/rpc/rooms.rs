//! `playon.chat.v1.ChatService`.

use mesh::auth::player;
use proto::chat::v1::{
    ListContactSettingsRequest, ListContactSettingsResponse, ListRoomsRequest, ListRoomsResponse,
    chat_service_server::ChatService,
};
use tonic::{Request, Response, Status};

use crate::app::{self, Cx};

/// RPCs that players may call.
pub(super) struct Rooms(pub(super) Cx);

#[tonic::async_trait]
impl ChatService for Rooms {
    async fn list_rooms(
        &self,
        request: Request<ListRoomsRequest>,
    ) -> Result<Response<ListRoomsResponse>, Status> {
        player(&request)?;
        let rooms = app::list_rooms(&self.0).await?;
        let rooms = rooms.into_iter().map(Into::into).collect();
        Ok(Response::new(ListRoomsResponse { rooms }))
    }

    async fn list_contact_settings(
        &self,
        _: Request<ListContactSettingsRequest>,
    ) -> Result<Response<ListContactSettingsResponse>, Status> {
        let settings = app::list_contact_settings(&self.0).await?;
        let settings = settings.into_iter().map(Into::into).collect();
        Ok(Response::new(ListContactSettingsResponse { settings }))
    }
}
