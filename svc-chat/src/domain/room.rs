//! The chat room.

types::id! {
    /// Identifies a room.
    pub(crate) RoomId: "room"
}

/// A room, as every player sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) id: RoomId,
    /// The room's name in paths and profiles.
    pub(crate) chat_room_uid: String,
    pub(crate) name: String,
    /// URL of a picture.
    pub(crate) icon: String,
    pub(crate) member_count: u32,
}
