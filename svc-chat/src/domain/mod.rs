//! Types and rules: pure, without clock, database or wire types.

mod chat_media;
mod chat_type;
mod content;
mod feedback;
mod mention;
mod message;
mod notification;
mod push;
mod push_endpoint;
mod room;
mod room_id;
mod safety;
mod word_filter;

pub(crate) use chat_type::ChatType;
pub(crate) use content::{ContactName, ContactSetting, ContentKind, RoomManifest};
pub(crate) use feedback::{Feedback, FeedbackError, FeedbackId, FeedbackTexts, SUBJECT_MAX};
pub(crate) use mention::{MentionSource, excerpt, mentions, sources};
pub(crate) use message::{
    Message, MessageContent, MessageError, MessageId, MessagePage, NewMessage, TEXT_MAX,
};
pub(crate) use notification::{
    Malformed, NewNotification, Notification, NotificationId, NotificationKind, NotificationState,
    Params, Source,
};
pub(crate) use push::{
    BrowserKeys, InvalidKeys, InvalidQuietHours, NewSubscription, NotificationSettings,
    NotificationTopic, PushSubscriptionId, QuietHours,
};
pub use push_endpoint::HostPattern;
pub(crate) use push_endpoint::{InvalidEndpoint, PushEndpoint, PushServices};
pub(crate) use room::{Membership, Room, RoomCounts, RoomState};
pub(crate) use room_id::{GameId, RoomId};
pub(crate) use safety::{
    BLOCKED_MAX, MUTE_MAX, NOTE_MAX, NewReport, Report, ReportId, ReportReason, SLOW_MODE_MAX,
    SendingRules, parse_reason,
};
pub(crate) use word_filter::{WordFilter, parse_words};
