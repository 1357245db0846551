//! The ids of a room and of the game that it is about.

types::id! {
    /// Identifies a room.
    pub(crate) RoomId: "room"
}

types::id! {
    /// Identifies a game of svc-games.
    pub(crate) GameId: "game"
}
