//! Types and rules: pure, without clock, database or wire types.

mod chat_media;
mod chat_type;
mod content;
mod message;
mod notification;
mod room;

pub(crate) use chat_type::ChatType;
pub(crate) use content::{ContactName, ContactSetting, ContentKind, RoomManifest};
pub(crate) use message::{
    Message, MessageContent, MessageError, MessageId, MessagePage, NewMessage, TEXT_MAX,
};
pub(crate) use notification::{
    Kind, Malformed, NewNotification, Notification, NotificationId, NotificationState, Params,
    Source,
};
pub(crate) use room::{Room, RoomCounts, RoomId, RoomState};
