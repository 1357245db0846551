//! The chat room.

types::id! {
    /// Identifies a room.
    pub(crate) RoomId: "room"
}

types::id! {
    /// Identifies a game of svc-games.
    pub(crate) GameId: "game"
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
    /// The game that the room is about.
    pub(crate) game: Option<GameId>,
}

/// How many members a room has, and how many of them are online.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoomCounts {
    pub(crate) members: u32,
    pub(crate) online: u32,
}

/// The counters of a room at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoomState {
    /// The number of the newest message.
    pub(crate) messages: u64,
    /// The number of the newest removal.
    pub(crate) removals: u64,
    pub(crate) members: u32,
}
