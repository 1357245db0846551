//! Types and rules: pure, without clock, database or wire types.

mod content;
mod notification;
mod room;

pub(crate) use content::{ContactName, ContactSetting, ContentKind, RoomManifest};
pub(crate) use notification::{
    Kind, Malformed, NewNotification, Notification, NotificationId, NotificationState, Params,
    Source,
};
pub(crate) use room::Room;
