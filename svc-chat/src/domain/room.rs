//! The chat room.

use super::{GameId, Message, RoomId};

/// A room, as a player sees it in the list.
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
    /// `None` for a player who has not joined the room.
    pub(crate) membership: Option<Membership>,
}

/// The unread messages and the last message of a room, for one of its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Membership {
    /// Messages of others after the last one that the member has read, at most 100.
    pub(crate) unread_count: u32,
    /// The newest message that the member sees, with the beginning of its text; `None` without one
    /// among the room's newest messages.
    pub(crate) last_message: Option<Message>,
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
