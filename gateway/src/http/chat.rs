//! Chat rooms.

use axum::extract::State;
use proto::{
    Absent,
    chat::v1::{
        self as rpc, JoinRoomRequest, LeaveRoomRequest, ListJoinedRoomsRequest, ListRoomsRequest,
        MarkRoomReadRequest,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    messages::Message,
    param::Segment,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /chat-rooms/list`
pub(crate) async fn rooms(State(gateway): State<Gateway>) -> HandlerResult<Vec<Room>> {
    let reply = gateway.upstreams().chat().list_rooms(ListRoomsRequest {}).await?;
    let rooms = reply.into_inner().rooms.into_iter().map(Room::new);
    Ok(Reply::ok(rooms.collect::<Result<_, _>>()?))
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

/// `POST /chats/read`
pub(crate) async fn mark_read(
    State(gateway): State<Gateway>,
    Body(body): Body<MarkRoomRead>,
) -> HandlerResult<()> {
    let MarkRoomRead { chat_room_id, seq } = body;
    gateway.upstreams().chat().mark_room_read(MarkRoomReadRequest { chat_room_id, seq }).await?;
    Ok(Reply::ok(()))
}

request! {
    /// How far the player has read a room.
    pub(crate) struct MarkRoomRead {
        /// The room's id or chatRoomUid.
        chat_room_id: String = "chatRoomId",
        /// The `seq` of the newest message that the player has seen.
        seq: u64 = "seq",
    }
}

payloads!(Room, Membership);

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
    /// The player's membership; null for a player who has not joined the room.
    membership: Option<Membership>,
}

/// The unread messages and the last message of a room, for one of its members.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Membership {
    /// Messages of others after the last one that the player has read, at most 100.
    unread_count: u32,
    /// The newest message that the player sees, with at most 200 characters of its text.
    last_message: Option<Message>,
}

impl Room {
    fn new(room: rpc::Room) -> Result<Self, Absent> {
        let membership = room.membership.map(Membership::new).transpose()?;
        Ok(Self {
            id: room.id,
            chat_room_uid: room.chat_room_uid,
            name: room.name,
            icon: room.icon,
            member_count: room.member_count,
            online_member_count: room.online_member_count,
            game_id: room.game_id,
            membership,
        })
    }
}

impl Membership {
    fn new(membership: rpc::Membership) -> Result<Self, Absent> {
        let last_message = membership.last_message.map(|message| {
            let room = message.chat_room_id.as_str().into();
            Message::new(&room, message)
        });
        Ok(Self { unread_count: membership.unread_count, last_message: last_message.transpose()? })
    }
}
