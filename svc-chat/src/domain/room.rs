//! The room.

use types::{Id, Noun};

/// A room, as every player sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Which one.
    pub id: RoomId,
    /// Its name in paths and profiles.
    pub chat_room_uid: String,
    /// What people call it.
    pub name: String,
    /// A picture's URL.
    pub icon: String,
    /// How many have joined.
    pub member_count: u32,
}

/// The id of a room.
pub type RoomId = Id<Named>;

/// The noun of [`RoomId`].
pub enum Named {}

impl Noun for Named {
    const NAME: &'static str = "room";
}
