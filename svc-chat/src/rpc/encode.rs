//! From the domain's types to the wire's.

use proto::chat::v1::Room as WireRoom;

use crate::domain::Room;

impl From<Room> for WireRoom {
    fn from(room: Room) -> Self {
        Self {
            id: room.id.to_string(),
            chat_room_uid: room.chat_room_uid,
            name: room.name,
            icon: room.icon,
            member_count: room.member_count,
            // Presence needs live streams on rooms, which do not exist yet.
            online_member_count: 0,
        }
    }
}
