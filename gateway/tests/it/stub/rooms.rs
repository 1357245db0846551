//! Chat rooms of svc-chat.

use proto::{
    chat::v1::{self as chat, chat_service_server::ChatService},
    timestamp,
    types::v1::ChatType,
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{AT, Stub};

impl Stub {
    /// Prepares the next watch of rooms; returns the sender of its updates.
    pub(crate) fn next_room_watch(&self) -> mpsc::Sender<Result<chat::WatchRoomsResponse, Status>> {
        let (feed, updates) = mpsc::channel(1_000);
        self.0.lock().unwrap().room_watches.push_back(Ok(updates));
        feed
    }

    /// Prepares a refusal of the next watch of rooms.
    pub(crate) fn refuse_room_watch(&self, status: impl Into<Status>) {
        let refusal = Err(status.into());
        self.0.lock().unwrap().room_watches.push_back(refusal);
    }
}

/// A message with a number.
pub(crate) fn message(seq: u64) -> chat::Message {
    chat::Message {
        id: format!("m-{seq}"),
        player_id: "u-1".into(),
        chat_room_id: "r-1".into(),
        text: "Habari".into(),
        chat_type: ChatType::Text.into(),
        created_at: Some(timestamp(AT)),
        seq,
    }
}

#[tonic::async_trait]
impl ChatService for Stub {
    async fn list_rooms(
        &self,
        request: Request<chat::ListRoomsRequest>,
    ) -> Result<Response<chat::ListRoomsResponse>, Status> {
        let rooms = vec![chat::Room {
            id: "r-1".into(),
            chat_room_uid: "lobby".into(),
            name: "Lobby".into(),
            icon: "/media/lobby.png".into(),
            member_count: 3,
            online_member_count: 1,
            game_id: Some("g-1".into()),
            membership: Some(chat::Membership { unread_count: 2, last_message: Some(message(52)) }),
        }];
        self.answer(request, chat::ListRoomsResponse { rooms }).await
    }

    async fn list_joined_rooms(
        &self,
        request: Request<chat::ListJoinedRoomsRequest>,
    ) -> Result<Response<chat::ListJoinedRoomsResponse>, Status> {
        let chat_room_uids = vec!["ajua".into(), "lobby".into()];
        self.answer(request, chat::ListJoinedRoomsResponse { chat_room_uids }).await
    }

    async fn join_room(
        &self,
        request: Request<chat::JoinRoomRequest>,
    ) -> Result<Response<chat::JoinRoomResponse>, Status> {
        self.answer(request, chat::JoinRoomResponse {}).await
    }

    async fn leave_room(
        &self,
        request: Request<chat::LeaveRoomRequest>,
    ) -> Result<Response<chat::LeaveRoomResponse>, Status> {
        self.answer(request, chat::LeaveRoomResponse {}).await
    }

    async fn mark_room_read(
        &self,
        request: Request<chat::MarkRoomReadRequest>,
    ) -> Result<Response<chat::MarkRoomReadResponse>, Status> {
        self.answer(request, chat::MarkRoomReadResponse {}).await
    }

    async fn list_messages(
        &self,
        request: Request<chat::ListMessagesRequest>,
    ) -> Result<Response<chat::ListMessagesResponse>, Status> {
        let page = chat::ListMessagesResponse {
            messages: [50, 52]
                .map(|seq| chat::Message { chat_room_id: String::new(), ..message(seq) })
                .into(),
            total_pages: 2,
            total_elements: 52,
            chat_room_id: "r-1".into(),
        };
        self.answer(request, page).await
    }

    async fn send_message(
        &self,
        request: Request<chat::SendMessageRequest>,
    ) -> Result<Response<chat::SendMessageResponse>, Status> {
        let chat::SendMessageRequest { text, chat_type, .. } = request.get_ref().clone();
        let message = chat::Message { text, chat_type, ..message(53) };
        self.answer(request, chat::SendMessageResponse { message: Some(message) }).await
    }

    async fn delete_message(
        &self,
        request: Request<chat::DeleteMessageRequest>,
    ) -> Result<Response<chat::DeleteMessageResponse>, Status> {
        self.answer(request, chat::DeleteMessageResponse {}).await
    }

    async fn list_contact_settings(
        &self,
        request: Request<chat::ListContactSettingsRequest>,
    ) -> Result<Response<chat::ListContactSettingsResponse>, Status> {
        let name = "Email".to_owned();
        let email = chat::ContactSetting { name, value: "help@playon.example".to_owned() };
        self.answer(request, chat::ListContactSettingsResponse { settings: vec![email] }).await
    }

    type WatchRoomsStream = ReceiverStream<Result<chat::WatchRoomsResponse, Status>>;

    async fn watch_rooms(
        &self,
        request: Request<chat::WatchRoomsRequest>,
    ) -> Result<Response<Self::WatchRoomsStream>, Status> {
        self.receive(request).await?;
        let next = self.0.lock().unwrap().room_watches.pop_front();
        let updates = next.unwrap_or_else(|| Err(Status::unavailable("no stream is prepared")))?;
        Ok(Response::new(ReceiverStream::new(updates)))
    }
}
