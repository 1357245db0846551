//! Chat rooms.

use axum::extract::State;
use proto::chat::v1::{self as rpc, ListRoomsRequest};
use serde::Serialize;
use utoipa::ToSchema;

use super::Outcome;
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /chat-rooms/list`
pub(crate) async fn rooms(State(gateway): State<Gateway>) -> Outcome<Vec<Room>> {
    let reply = gateway.upstreams().chat().list_rooms(ListRoomsRequest {}).await?;
    let rooms = reply.into_inner().rooms;
    Ok(Reply::ok(rooms.into_iter().map(Into::into).collect()))
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
        }
    }
}
