//! Talk: messages of rooms, their delivery to many readers, and notifications.

pub(crate) mod broadcast;
pub(crate) mod fan_out;
pub(crate) mod history;
pub(crate) mod rooms;
pub(crate) mod send;
