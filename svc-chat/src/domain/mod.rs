//! Types and rules: pure, without clock, database or wire types.

mod notification;
mod room;

pub(crate) use notification::{
    Kind, Malformed, NewNotification, Notification, NotificationId, NotificationState, Params,
    Source,
};
pub(crate) use room::Room;
