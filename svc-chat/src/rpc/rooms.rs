//! `playon.chat.v1.ChatService`.

use std::pin::Pin;

use mesh::auth::player;
use proto::chat::v1::{
    DeleteMessageRequest, DeleteMessageResponse, JoinRoomRequest, JoinRoomResponse,
    LeaveRoomRequest, LeaveRoomResponse, ListContactSettingsRequest, ListContactSettingsResponse,
    ListJoinedRoomsRequest, ListJoinedRoomsResponse, ListMessagesRequest, ListMessagesResponse,
    ListRoomsRequest, ListRoomsResponse, MarkRoomReadRequest, MarkRoomReadResponse,
    SendMessageRequest, SendMessageResponse, WatchRoomsRequest, WatchRoomsResponse,
    chat_service_server::ChatService,
};
use tokio_stream::{Stream, StreamExt, wrappers::ReceiverStream};
use tonic::{Request, Response, Status};

use super::{decode_rooms, encode_rooms};
use crate::{
    app::{self, Cx},
    error::Error,
};

/// RPCs that players may call.
pub(super) struct Rooms(pub(super) Cx);

#[tonic::async_trait]
impl ChatService for Rooms {
    async fn list_rooms(
        &self,
        request: Request<ListRoomsRequest>,
    ) -> Result<Response<ListRoomsResponse>, Status> {
        let rooms = app::list_rooms(&self.0, player(&request)?.id).await?;
        let rooms = rooms.into_iter().map(encode_rooms::room).collect();
        Ok(Response::new(ListRoomsResponse { rooms }))
    }

    async fn list_joined_rooms(
        &self,
        request: Request<ListJoinedRoomsRequest>,
    ) -> Result<Response<ListJoinedRoomsResponse>, Status> {
        let chat_room_uids = app::list_joined_rooms(&self.0, player(&request)?.id).await?;
        Ok(Response::new(ListJoinedRoomsResponse { chat_room_uids }))
    }

    async fn join_room(
        &self,
        request: Request<JoinRoomRequest>,
    ) -> Result<Response<JoinRoomResponse>, Status> {
        let player = player(&request)?;
        app::join_room(&self.0, player.id, &request.get_ref().chat_room_id).await?;
        Ok(Response::new(JoinRoomResponse {}))
    }

    async fn leave_room(
        &self,
        request: Request<LeaveRoomRequest>,
    ) -> Result<Response<LeaveRoomResponse>, Status> {
        let player = player(&request)?;
        app::leave_room(&self.0, player.id, &request.get_ref().chat_room_id).await?;
        Ok(Response::new(LeaveRoomResponse {}))
    }

    async fn mark_room_read(
        &self,
        request: Request<MarkRoomReadRequest>,
    ) -> Result<Response<MarkRoomReadResponse>, Status> {
        let player = player(&request)?;
        let MarkRoomReadRequest { chat_room_id, seq } = request.get_ref();
        app::mark_room_read(&self.0, player.id, chat_room_id, *seq).await?;
        Ok(Response::new(MarkRoomReadResponse {}))
    }

    async fn list_messages(
        &self,
        request: Request<ListMessagesRequest>,
    ) -> Result<Response<ListMessagesResponse>, Status> {
        let player = player(&request)?;
        let page = decode_rooms::message_page(request.get_ref())?;
        let room = &request.get_ref().chat_room_id;
        let messages = app::list_messages(&self.0, player.id, room, page).await?;
        Ok(Response::new(messages.into()))
    }

    async fn send_message(
        &self,
        request: Request<SendMessageRequest>,
    ) -> Result<Response<SendMessageResponse>, Status> {
        let player = player(&request)?;
        let sent = decode_rooms::sent_message(request.get_ref())?;
        let message = app::send_message(&self.0, player, sent).await?;
        Ok(Response::new(SendMessageResponse { message: Some(message.into()) }))
    }

    async fn delete_message(
        &self,
        request: Request<DeleteMessageRequest>,
    ) -> Result<Response<DeleteMessageResponse>, Status> {
        let player = player(&request)?;
        let id = decode_rooms::message_id(&request.get_ref().id).map_err(Error::from)?;
        app::delete_message(&self.0, player.id, id).await?;
        Ok(Response::new(DeleteMessageResponse {}))
    }

    async fn list_contact_settings(
        &self,
        _: Request<ListContactSettingsRequest>,
    ) -> Result<Response<ListContactSettingsResponse>, Status> {
        let settings = app::list_contact_settings(&self.0).await?;
        let settings = settings.into_iter().map(Into::into).collect();
        Ok(Response::new(ListContactSettingsResponse { settings }))
    }

    type WatchRoomsStream = Pin<Box<dyn Stream<Item = Result<WatchRoomsResponse, Status>> + Send>>;

    async fn watch_rooms(
        &self,
        request: Request<WatchRoomsRequest>,
    ) -> Result<Response<Self::WatchRoomsStream>, Status> {
        let player = player(&request)?;
        let messages_max = if request.get_ref().takes_batches { usize::MAX } else { 1 };
        let cursors = decode_rooms::cursors(request.into_inner())?;
        let updates = app::watch_rooms(&self.0, player, cursors, messages_max).await?;
        let updates = ReceiverStream::new(updates)
            .map(|update| (*update).map(Into::into).map_err(Into::into));
        Ok(Response::new(Box::pin(updates)))
    }
}
