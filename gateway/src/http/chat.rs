//! Chat rooms.

use axum::extract::State;
use proto::chat::v1::{
    self as rpc, JoinRoomRequest, LeaveRoomRequest, ListJoinedRoomsRequest, ListRoomsRequest,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{HandlerResult, param::Segment};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /chat-rooms/list`
pub(crate) async fn rooms(State(gateway): State<Gateway>) -> HandlerResult<Vec<Room>> {
    let reply = gateway.upstreams().chat().list_rooms(ListRoomsRequest {}).await?;
    let rooms = reply.into_inner().rooms;
    Ok(Reply::ok(rooms.into_iter().map(Into::into).collect()))
}

/// `GET /profile/chatrooms`
pub(crate) async fn joined(State(gateway): State<Gateway>) -> HandlerResult<Vec<String>> {
    let reply = gateway.upstreams().chat().list_joined_rooms(ListJoinedRoomsRequest {}).await?;
    Ok(Reply::ok(reply.into_inner().chat_room_uids))
}

/// `GET /profile/chatroom-join/{chatRoomUid}`. It changes state, and is safe because only a
/// bearer header authorises it, which no link and no image sends.
pub(crate) async fn join(
    State(gateway): State<Gateway>,
    Segment(chat_room_id): Segment,
) -> HandlerResult<()> {
    gateway.upstreams().chat().join_room(JoinRoomRequest { chat_room_id }).await?;
    Ok(Reply::ok(()))
}

/// `GET /profile/chatroom-leave/{chatRoomUid}`
pub(crate) async fn leave(
    State(gateway): State<Gateway>,
    Segment(chat_room_id): Segment,
) -> HandlerResult<()> {
    gateway.upstreams().chat().leave_room(LeaveRoomRequest { chat_room_id }).await?;
    Ok(Reply::ok(()))
}

payloads!(Room);

/// A chat room.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Room {
    id: String,
    chat_room_uid: String,
    name: String,
    icon: String,
    member_count: u32,
    online_member_count: u32,
    /// The game that the room is about.
    game_id: Option<String>,
}

impl From<rpc::Room> for Room {
    fn from(room: rpc::Room) -> Self {
        Self {
            id: room.id,
            chat_room_uid: room.chat_room_uid,
            name: room.name,
            icon: room.icon,
            member_count: room.member_count,
            online_member_count: room.online_member_count,
            game_id: room.game_id,
        }
    }
}
