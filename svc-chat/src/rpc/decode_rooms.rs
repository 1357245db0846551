//! Requests about rooms and messages, parsed.

use std::collections::HashSet;

use mesh::Fault;
use proto::{
    chat::v1::{ListMessagesRequest, SendMessageRequest, WatchRoomsRequest},
    types::v1::ChatType as WireType,
};
use types::{PageError, Text};

use crate::{
    app::{RoomCursor, SentMessage},
    domain::{ChatType, MessageId, MessagePage},
    error::Refused,
};

/// The contract's limit of rooms in one stream.
const ROOMS_MAX: usize = 20;

pub(super) fn message_page(request: &ListMessagesRequest) -> Result<MessagePage, Fault> {
    MessagePage::parse(request.page, request.page_size).ok_or_else(|| {
        Fault::invalid_field("page_size", PageError::TooLarge { max: MessagePage::MOST })
    })
}

pub(super) fn sent_message(request: &SendMessageRequest) -> Result<SentMessage<'_>, Fault> {
    let chat_type = match request.chat_type() {
        WireType::Text => ChatType::Text,
        WireType::Image => ChatType::Image,
        WireType::Video => ChatType::Video,
        WireType::Audio => ChatType::Audio,
        WireType::Document => ChatType::Document,
        WireType::Unspecified => {
            return Err(Fault::invalid_field("chat_type", "CHAT_TYPE_MISSING"));
        }
    };
    Ok(SentMessage {
        room: &request.chat_room_id,
        chat_type,
        text: &request.text,
        client_id: &request.client_message_id,
    })
}

/// Parses a message's id. A malformed id is refused as an unknown one.
pub(super) fn message_id(text: &str) -> Result<MessageId, Refused> {
    MessageId::parse(text).map_err(|_| Refused::MessageNotFound)
}

pub(super) fn cursors(request: WatchRoomsRequest) -> Result<Vec<RoomCursor>, Fault> {
    let mut uids = HashSet::new();
    let is_each_once = request.rooms.iter().all(|room| uids.insert(&*room.chat_room_uid));
    if request.rooms.is_empty() || request.rooms.len() > ROOMS_MAX || !is_each_once {
        let text = Text::new("ROOMS_OUT_OF_RANGE").with("max", ROOMS_MAX);
        return Err(Fault::invalid_field("rooms", text));
    }
    let cursor = |room: proto::chat::v1::RoomCursor| RoomCursor {
        chat_room_uid: room.chat_room_uid,
        after: room.after_seq,
    };
    Ok(request.rooms.into_iter().map(cursor).collect())
}
